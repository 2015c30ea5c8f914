import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport room set`.
struct RoomSetVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Puts a device into a room, or takes it out of one.",
        discussion: """
            Examples: homeport room set sweeper-1 Kitchen
                      homeport room set sweeper-1 ''

            The room must be there: 'homeport room add' adds one. An empty text takes the device out of its \
            room.

            With --json: {"device","home","name","room"}.

            \(VerbStatus.help(VerbStatus.ofReading, but: [.wrongInput: "unknown device or room"]))
            """)

    @Argument(
        help: ArgumentHelp(
            "The device: its id or name, as 'homeport devices' lists them.", valueName: "device"),
        completion: .devices)
    var device: String

    @Argument(
        help: ArgumentHelp("The room; empty for none.", valueName: "room"),
        completion: .rooms, transform: Parsing.nameOrNothing)
    var given: NameOrNothing

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker, for a device that the ledger does not know") var broker:
        BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        return try await session.withHome { home throws(HomeError) in
            try await home.naming.requireRoom(given.name)
            var known = try await home.observation.findByLedger(device)
            let label = try await home.naming.move(known.id, toRoom: given.name?.text)
            known = home.latest(known.id) ?? known
            let text = label.room.map { "\(known.id) is in the room \($0)" }
            call.console.write(
                LabelRenderer(format: common.format).lines(
                    for: known, text ?? "\(known.id) is in no room"))
            return .done
        }
    }
}
