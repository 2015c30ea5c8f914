import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport room list`.
struct RoomListVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the rooms with their devices.",
        discussion: """
            Example: homeport room list --json

            It reads the ledger alone and needs no broker. With --json: {"name","home","devices"}, with the \
            ids of the devices.

            \(VerbStatus.help(VerbStatus.ofLedger))
            """)

    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let style = try list.style(common, of: RoomsRenderer.columns)
        let session = try Session(options, call)
        return try await session.withHome { home throws(HomeError) in
            call.console.write(
                RoomsRenderer(home: home.id).listing(of: try await home.naming.labels()), style,
                ifEmpty: "\(home.id) has no rooms of yours; 'homeport room add ROOM' adds one")
            return .done
        }
    }
}
