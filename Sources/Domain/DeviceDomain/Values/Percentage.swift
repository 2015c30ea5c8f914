/// A share of a whole, 0 to 100 %.
public struct Percentage: Hashable, Comparable, Sendable {
    /// The share in percent, 0…100.
    public let value: Double

    /// Accepts a finite value from 0 to 100, else `nil`.
    public init?(_ value: Double) {
        guard (0...100).contains(value) else { return nil }
        self.value = value
    }

    /// The nearest share to any finite value; below 0 is 0, above 100 is 100, not-a-number is 0.
    public init(clamping value: Double) {
        self.value = value.isNaN ? 0 : min(max(value, 0), 100)
    }

    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
