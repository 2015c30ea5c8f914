extension PoolRobot {
    /// The models of this kind: `pool-p1` is fed by a tether, `pool-c1` by a battery.
    public static let blueprints = [
        blueprint("pool-p1", capabilities: [.connectable, .controllable, .schedulable]),
        blueprint(
            "pool-c1",
            capabilities: [.connectable, .batteryPowered, .controllable, .schedulable]),
    ]

    private static func blueprint(
        _ model: String, capabilities: Set<Capability>
    ) -> DeviceBlueprint {
        DeviceBlueprint(
            model: DeviceModel(rawValue: model), kind: .poolRobot, capabilities: capabilities,
            commands: commands
        ) { PoolRobot(profile: $0, report: $1) }
    }

    /// The commands of this kind (PROTOCOL section 5).
    public static let commands =
        CommandSpecification.ofEveryDevice + [
            CommandSpecification(
                name: .startProgram,
                arguments: .members(["program": .oneOf(Program.allCases.map(\.rawValue))]),
                sort: .action, offline: .expire(after: .seconds(1800)), undo: .inverse(with: .stop)),
            .pause, .stop,
            CommandSpecification(
                name: .surface, arguments: .nothing, lane: .urgent, sort: .action,
                offline: .barrier),
            .resume,
            .setting(.setPowerLevel, ["level": .oneOf(PowerLevel.allCases.map(\.rawValue))]),
            .setting(
                .setSchedule, ["entries": .array(of: WeeklySchedule.entrySchema)],
                offline: .desired),
        ]
}
