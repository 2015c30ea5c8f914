/// A number of a model with what an engineer needs to judge it.
package struct Rating: Hashable, Sendable {
    /// Where a number comes from.
    package enum Source: Hashable, Sendable {
        /// A datasheet, a standard, a paper or the source code of another program.
        case published(String)
        /// Nobody published it: what was assumed, and why it is plausible.
        case estimate(String)
    }

    /// What a device of the model has; the middle where it varies.
    package let value: Double
    /// Its unit as it is printed, such as "W" or "m/s"; "1" for a ratio.
    package let unit: String
    /// From where to where it varies from device to device; `nil` where all devices have ``value``.
    package let range: ClosedRange<Double>?
    /// From where to where it can be given for some devices of the model, while all others have ``value``; `nil` where
    /// ``range`` says so.
    package let adjustment: ClosedRange<Double>?
    /// Where it comes from.
    package let source: Source

    /// A number that all devices of the model have.
    /// - Parameter adjustment: from where to where some devices can have another one, where they can.
    package init(
        _ value: Double, _ unit: String, _ source: Source,
        orFrom adjustment: ClosedRange<Double>? = nil
    ) {
        self.value = value
        self.unit = unit
        self.source = source
        self.adjustment = adjustment
        range = nil
    }

    /// A number that varies from device to device.
    package init(_ range: ClosedRange<Double>, _ unit: String, _ source: Source) {
        value = (range.lowerBound + range.upperBound) / 2
        self.unit = unit
        self.source = source
        self.range = range
        adjustment = nil
    }

    /// The same number for devices that have it from a smaller range.
    func narrowed(to range: ClosedRange<Double>) -> Rating { Rating(range, unit, source) }
}

/// The numbers of one model, the same value for all of its devices.
package protocol ModelSpecification: Sendable {
    /// Its numbers by the names under which `homeport-sim models` prints them, in that order.
    var ratings: [(name: String, rating: Rating)] { get }
    /// The names of those numbers that can be given for some of its devices, each with a range or an adjustment.
    var adjustable: [String] { get }

    /// The same model for devices that draw numbers from other ranges.
    /// - Parameter parameters: the ranges by name; names that are not ``adjustable`` change nothing.
    func adjusted(to parameters: [String: ClosedRange<Double>]) -> Self
}

extension ModelSpecification {
    package var adjustable: [String] { [] }

    package func adjusted(to parameters: [String: ClosedRange<Double>]) -> Self { self }
}
