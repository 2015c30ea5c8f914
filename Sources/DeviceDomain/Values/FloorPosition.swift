/// A point on a floor plan.
public struct FloorPosition: Hashable, Sendable {
    /// Metres to the east of the plan's origin; finite.
    public let x: Double
    /// Metres to the north of the plan's origin; finite.
    public let y: Double

    /// Accepts finite coordinates, else `nil`.
    public init?(x: Double, y: Double) {
        guard x.isFinite, y.isFinite else { return nil }
        self.x = x
        self.y = y
    }
}
