/// A positive electrical power that is asked for.
public struct Power: Hashable, Comparable, Sendable {
    /// Watts; finite and above 0.
    public let watts: Double

    /// Accepts a finite value above 0 W, else `nil`.
    public init?(watts: Double) {
        guard watts.isFinite, watts > 0 else { return nil }
        self.watts = watts
    }

    public static func < (left: Self, right: Self) -> Bool { left.watts < right.watts }
}
