extension CommandSpecification {
    /// The specification that PROTOCOL section 5 gives a command of a kind, for third-party devices
    /// that name their commands and say no more; `nil` for a name that neither the section nor
    /// PROVISIONING lists.
    public static func standard(_ name: CommandName, of kind: DeviceKind) -> CommandSpecification? {
        ((commandsOfKinds[kind] ?? ofEveryDevice) + [commitClaim]).first { $0.name == name }
    }

    private static let commandsOfKinds: [DeviceKind: [CommandSpecification]] = [
        .sweepingRobot: SweepingRobot.commands(),
        .poolRobot: PoolRobot.commands,
        .energyStore: EnergyStore.commands(),
    ]
}
