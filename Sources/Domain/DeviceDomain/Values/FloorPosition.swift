/// A point on a floor plan.
public struct FloorPosition: Hashable, Sendable {
    /// Metres to the east of the plan's origin; finite.
    public let x: Double
    /// Metres to the north of the plan's origin; finite.
    public let y: Double

    /// - Throws: ``ArgumentViolation`` if a coordinate is not finite.
    public init(x: Double, y: Double) throws(ArgumentViolation) {
        for (name, value) in [("x", x), ("y", y)] where !value.isFinite {
            throw ArgumentViolation(path: name, reason: "must be a finite number of metres")
        }
        self.x = x
        self.y = y
    }

    private init(finiteX x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The point as far to the north, and as far to the east as another one.
    func eastward(to other: FloorPosition) -> FloorPosition {
        FloorPosition(finiteX: other.x, y: y)
    }

    var arguments: JSONObject { ["x": .number(x), "y": .number(y)] }
}
