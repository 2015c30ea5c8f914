/// A door of a room: a gap in its wall.
public struct PlannedDoor: Hashable, Sendable {
    /// Its middle.
    public let position: FloorPosition
    /// How wide it is, in metres.
    public let widthM: Double

    /// The width of a door whose robot has not said it, in metres (PROTOCOL section 2).
    public static let usualWidthM = 0.8
    /// The widths that a door may have, in metres; a gap in place of a whole wall is a door too.
    public static let allowedWidthM = 0.1...100.0

    /// - Throws: ``ArgumentViolation`` for a width that is not 0.1 to 100 m.
    public init(
        position: FloorPosition, widthM: Double = PlannedDoor.usualWidthM
    ) throws(ArgumentViolation) {
        guard Self.allowedWidthM.contains(widthM) else {
            throw ArgumentViolation(path: "widthM", reason: "must be 0.1 to 100 m")
        }
        self.position = position
        self.widthM = widthM
    }
}
