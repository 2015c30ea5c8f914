/// The values between which a chart is drawn, at round numbers.
package struct ChartScale: Hashable, Sendable {
    /// The lowest value that is drawn.
    package let lower: Double
    /// The highest value that is drawn; above ``lower``.
    package let upper: Double

    /// The round numbers around values.
    /// - Parameter includesZero: for amounts, whose size is read from the base line.
    /// - Parameter isPercent: for percentages, which are read from 0 to 100.
    /// - Parameter smallestSpan: at least so much lies between both ends.
    package init(
        _ values: [Double], includesZero: Bool = false, isPercent: Bool = false,
        smallestSpan: Double = 0
    ) {
        guard !isPercent || values.contains(where: { !(0...100).contains($0) }) else {
            (lower, upper) = (0, 100)
            return
        }
        var low = values.min() ?? 0
        var high = values.max() ?? 1
        if includesZero { (low, high) = (min(low, 0), max(high, 0)) }
        if high - low < smallestSpan {
            let missing = smallestSpan - (high - low)
            // What is never negative stays so.
            let below = includesZero ? (low < 0 ? missing : 0) : missing / 2
            let lowest = low >= 0 ? max(low - below, 0) : low - below
            (low, high) = (lowest, max(high, lowest + smallestSpan))
        }
        if high - low < 1e-9 {
            let margin = max(abs(high) * 0.05, 0.5)
            (low, high) = (low >= 0 ? max(low - margin, 0) : low - margin, high + margin)
        }
        let step = Self.step(over: high - low)
        // A value that is round but for the last bits of its representation is round.
        lower = (low / step + 1e-6).rounded(.down) * step
        upper = (high / step - 1e-6).rounded(.up) * step
    }

    /// The lowest, the middle and the highest value.
    package var marks: [Double] { [lower, (lower + upper) / 2, upper] }

    /// Where a value lies: 0 at the lower end, 1 at the upper one.
    package func position(of value: Double) -> Double { (value - lower) / (upper - lower) }

    /// 1, 2 or 5 times a power of ten, about a quarter of a range.
    private static func step(over range: Double) -> Double {
        var power = 1.0
        while power * 10 <= range / 4 { power *= 10 }
        while power > range / 4 { power /= 10 }
        let factor = [5.0, 2.0].first { power * $0 <= range / 4 } ?? 1
        return power * factor
    }
}
