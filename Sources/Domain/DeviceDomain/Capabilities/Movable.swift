/// A device that moves on a floor plan and has a dock.
public protocol Movable: Controllable {}

extension CommandRequest where Receiver: Movable {
    /// Goes to a point of the floor plan, in metres to the east and north of its origin.
    /// - Throws: ``ArgumentViolation`` if a coordinate is not finite.
    public static func moveTo(x: Double, y: Double) throws(ArgumentViolation) -> Self {
        Self(.moveTo, try FloorPosition(x: x, y: y).arguments)
    }

    /// Goes back to the dock.
    public static var returnToDock: Self { Self(.returnToDock) }
}

extension CommandName {
    /// Goes to a point.
    public static let moveTo = CommandName(rawValue: "move-to")
    /// Goes back to the dock.
    public static let returnToDock = CommandName(rawValue: "return-to-dock")
}
