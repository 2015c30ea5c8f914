/// A device that moves on a floor plan and has a dock.
public protocol Movable: Controllable {}

extension Movable {
    /// Goes to a point of the floor plan.
    public func moveTo(_ target: FloorPosition) -> CommandRequest<Self> {
        CommandRequest(.moveTo, ["x": .number(target.x), "y": .number(target.y)])
    }

    /// Goes back to the dock.
    public func returnToDock() -> CommandRequest<Self> { CommandRequest(.returnToDock) }
}

extension CommandName {
    /// Goes to a point.
    public static let moveTo = CommandName(rawValue: "move-to")
    /// Goes back to the dock.
    public static let returnToDock = CommandName(rawValue: "return-to-dock")
}
