import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport name`.
struct NameVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "name",
        abstract: "Gives a device a name of your own.",
        discussion: """
            Examples: homeport name sweeper-1 'Kitchen robot'
                      homeport name sweeper-1 ''

            Lists, the dashboard and Home Assistant then show it in place of the device's own name, and every \
            verb takes it for DEVICE; upper and lower case make no difference. An empty text takes it back. It \
            is kept in the ledger, for all that work with it, and is never sent to the device. A name that is \
            the id or name of another device is refused.

            With --json: {"device","home","name","room"}; name is the device's own where you have named none.

            \(VerbStatus.help(VerbStatus.ofReading, but: own))
            """)
    private static let own: [VerbStatus: String] = [
        .wrongInput: "unknown device, or another device has the name"
    ]

    @Argument(
        help: ArgumentHelp(
            "The device: its id or name, as 'homeport devices' lists them.", valueName: "device"),
        completion: .devices)
    var device: String

    @Argument(
        help: ArgumentHelp("The name; empty for the device's own one.", valueName: "text"),
        transform: Parsing.nameOrNothing)
    var given: NameOrNothing

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker, for a device that the ledger does not know") var broker:
        BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        return try await session.withHome { home throws(HomeError) in
            var known = try await home.observation.findByLedger(device)
            try await home.naming.name(known.id, given.name)
            known = home.latest(known.id) ?? known
            let text =
                given.name == nil
                ? "\(known.id) has its own name again: \(known.name)"
                : "\(known.id) is called \(known.name)"
            call.console.write(LabelRenderer(format: common.format).lines(for: known, text))
            return .done
        }
    }
}
