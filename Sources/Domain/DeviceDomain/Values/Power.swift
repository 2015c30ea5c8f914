/// A positive electrical power as an argument.
public struct Power: Hashable, Comparable, Sendable {
    /// Watts; finite and above 0.
    public let watts: Double

    /// - Throws: ``ArgumentViolation`` if the value is not finite or not above 0 W.
    public init(watts: Double) throws(ArgumentViolation) {
        guard watts.isFinite, watts > 0 else {
            throw ArgumentViolation(path: "powerW", reason: "must be a finite number above 0")
        }
        self.watts = watts
    }

    public static func < (left: Self, right: Self) -> Bool { left.watts < right.watts }
}
