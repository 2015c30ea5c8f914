/// The part of a floor plan that limits a sweeping robot's arguments.
public struct FloorOutline: Hashable, Sendable {
    /// The ids of the rooms.
    public let roomIDs: [Int]
    /// Metres from west to east.
    public let x: ClosedRange<Double>
    /// Metres from south to north.
    public let y: ClosedRange<Double>

    public init(roomIDs: [Int], x: ClosedRange<Double>, y: ClosedRange<Double>) {
        self.roomIDs = roomIDs
        self.x = x
        self.y = y
    }
}

extension SweepingRobot {
    /// The models of this kind.
    public static let blueprints = ["sweeper-s1", "sweeper-pro"].map { model in
        DeviceBlueprint(
            model: DeviceModel(rawValue: model), kind: .sweepingRobot,
            capabilities: [.connectable, .batteryPowered, .controllable, .movable],
            commands: commands()
        ) { SweepingRobot(profile: $0, report: $1) }
    }

    /// How many passes one cleaning may make over each room.
    public static let allowedPasses = 1...3

    /// The commands of this kind (PROTOCOL section 5); with an outline, arguments are declared as
    /// narrowly as that floor plan allows.
    public static func commands(on outline: FloorOutline? = nil) -> [CommandSpecification] {
        let waits = OfflinePolicy.expire(after: .seconds(600))
        return CommandSpecification.ofEveryDevice + [
            CommandSpecification(
                name: .startCleaning,
                arguments: .members(
                    ["rooms": .array(of: room(of: outline)), "passes": .integer(allowedPasses)],
                    optional: ["rooms", "passes"]),
                sort: .action, offline: waits, undo: .inverse(with: .returnToDock)),
            CommandSpecification(name: .cleanSpot, arguments: point(of: outline), sort: .action),
            CommandSpecification(name: .moveTo, arguments: point(of: outline), sort: .action),
            CommandSpecification(
                name: .returnToDock, arguments: .nothing, sort: .action, offline: waits),
            .pause, .stop, .resume,
            CommandSpecification(name: .locate, arguments: .nothing, sort: .instant),
            .setting(.setSuctionLevel, ["level": .oneOf(SuctionLevel.allCases.map(\.rawValue))]),
        ]
    }

    private static func room(of outline: FloorOutline?) -> ArgumentSchema {
        var schema = ArgumentSchema(type: .integer)
        schema.allowed = outline?.roomIDs.map(JSONValue.integer)
        return schema
    }

    private static func point(of outline: FloorOutline?) -> ArgumentSchema {
        let anywhere = ArgumentSchema(type: .number)
        return .members([
            "x": outline.map { .number($0.x) } ?? anywhere,
            "y": outline.map { .number($0.y) } ?? anywhere,
        ])
    }
}
