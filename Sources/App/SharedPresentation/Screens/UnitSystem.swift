internal import DeviceDomain

/// The units in which a person reads what devices report.
public enum UnitSystem: String, Hashable, Sendable, CaseIterable {
    /// The units of the protocol: °C, m², m.
    case metric
    /// °F, ft² and ft instead.
    case imperial

    /// The unit in which a signal is shown, by its name; `nil` where the name says none. Places on a
    /// floor plan stay in metres, as the plan and the commands that name a place.
    public func unit(ofSignal name: String) -> ShownUnit? {
        guard let unit = SignalUnit(ofSignal: name) else { return nil }
        let isPlace = name == "x" || name == "y"
        switch (self, unit) {
        case (.imperial, .degreesCelsius): return ShownUnit("°F", factor: 1.8, offset: 32)
        case (.imperial, .squareMetres): return ShownUnit("ft²", factor: Self.feet * Self.feet)
        case (.imperial, .metres) where !isPlace: return ShownUnit("ft", factor: Self.feet)
        case (.metric, _), (.imperial, _): return ShownUnit(unit.symbol)
        }
    }

    /// Feet in a metre: the foot is 0.3048 m by the international agreement of 1959.
    private static let feet = 1 / 0.3048
}

/// A unit in which numbers are shown.
public struct ShownUnit: Hashable, Sendable {
    /// Its symbol, which is the same in every language.
    public let symbol: String
    private let factor: Double
    private let offset: Double

    fileprivate init(_ symbol: String, factor: Double = 1, offset: Double = 0) {
        self.symbol = symbol
        self.factor = factor
        self.offset = offset
    }

    /// The number to show for one in the unit of the protocol.
    public func value(of reported: Double) -> Double { reported * factor + offset }

    /// The points to draw for those in the unit of the protocol.
    public func values(of reported: [SamplePoint]) -> [SamplePoint] {
        reported.map { SamplePoint(at: $0.at, value: value(of: $0.value)) }
    }
}
