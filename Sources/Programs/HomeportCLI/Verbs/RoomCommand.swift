import ArgumentParser

/// `homeport room`: the verbs about rooms of your own.
struct RoomCommand: VerbGroup {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "Rooms of your own, and which devices are in them.",
        discussion: """
            Example: homeport room add Kitchen
                     homeport room set sweeper-1 Kitchen
                     homeport devices --room kitchen

            --room ROOM selects devices wherever --kind does. Rooms are kept in the ledger, for all that work \
            with it; Home Assistant is told them as areas. They are never sent to a device, and are not the \
            rooms that a robot has in its own plan.
            """,
        subcommands: [
            RoomAddVerb.self, RoomListVerb.self, RoomRemoveVerb.self, RoomSetVerb.self,
            UnknownVerb<Self>.self,
        ], defaultSubcommand: UnknownVerb<Self>.self)

    /// The exit statuses of a verb that names a room.
    static let statuses = VerbStatus.help(
        VerbStatus.ofLedger, but: [.wrongInput: "unknown room, or there is one of that name"])
}
