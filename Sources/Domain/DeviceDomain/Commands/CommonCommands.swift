extension CommandName {
    /// Queries the outcomes of commands.
    public static let queryCommands = CommandName(rawValue: "query-commands")
    /// Cancels a command that waits or runs.
    public static let cancelCommand = CommandName(rawValue: "cancel-command")
    /// Makes the device identify itself.
    public static let identify = CommandName(rawValue: "identify")
    /// Ends the claim by which a device came into the home, so that it stays there.
    public static let commitClaim = CommandName(rawValue: "commit-claim")
    /// Pauses the running action.
    public static let pause = CommandName(rawValue: "pause")
    /// Resumes the paused action.
    public static let resume = CommandName(rawValue: "resume")
    /// Ends the running action and those that wait.
    public static let stop = CommandName(rawValue: "stop")
}

extension CommandSpecification {
    /// The most ids that one `query-commands` may ask for.
    public static let queryableIDs = 1...100

    /// The commands of every device (PROTOCOL section 5).
    public static let ofEveryDevice = [
        CommandSpecification(
            name: .queryCommands,
            arguments: .members(["ids": .array(of: ArgumentSchema(type: .string))]),
            sort: .instant),
        CommandSpecification(
            name: .cancelCommand, arguments: .members(["id": ArgumentSchema(type: .string)]),
            lane: .urgent, sort: .instant),
        CommandSpecification(name: .identify, arguments: .nothing, sort: .instant),
    ]

    /// The command of a device that came into its home by a claim (PROVISIONING, "The claim").
    public static let commitClaim = CommandSpecification(
        name: .commitClaim, arguments: .members(["nonce": ArgumentSchema(type: .string)]),
        sort: .instant)

    static let pause = CommandSpecification(
        name: .pause, arguments: .nothing, lane: .urgent, sort: .instant, offline: .barrier)
    static let resume = CommandSpecification(name: .resume, arguments: .nothing, sort: .instant)
    static let stop = CommandSpecification(
        name: .stop, arguments: .nothing, lane: .urgent, sort: .instant, offline: .barrier)

    static func setting(
        _ name: CommandName, _ arguments: [String: ArgumentSchema],
        offline: OfflinePolicy = .latest, needsIfRevision: Bool = false
    ) -> CommandSpecification {
        CommandSpecification(
            name: name, arguments: .members(arguments), sort: .setting, offline: offline,
            undo: .restore, needsIfRevision: needsIfRevision)
    }
}
