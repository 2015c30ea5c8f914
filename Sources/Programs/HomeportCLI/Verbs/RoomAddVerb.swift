import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport room add`.
struct RoomAddVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a room.",
        discussion: """
            Example: homeport room add 'Living room'

            With --json: {"name","home","devices"}.

            \(RoomCommand.statuses)
            """)

    @Argument(
        help: ArgumentHelp("What the room is called.", valueName: "room"),
        transform: Parsing.givenName)
    var room: GivenName

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    static var serverUse: ServerUse { .mayHaveSent }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        return try await session.withHome { home throws(HomeError) in
            try await home.naming.addRoom(room)
            call.console.write(
                LabelRenderer(format: common.format).lines(
                    for: room, of: home.id, [], "added the room \(room)"))
            return .done
        }
    }
}
