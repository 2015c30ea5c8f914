import ArgumentParser
import Homeport

/// `homeport watch`.
struct WatchVerb: Verb {
    static let name = "watch"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: HomeportCommand.name,
        abstract: "Shows telemetry, state, presence, events and acks live until interrupted.",
        discussion: """
            Example: homeport watch sweeper-1 sweeper-2 --json | jq -c 'select(.type == "event")'

            It keeps reconnecting for ever; only refused credentials end it. With --kind or --where \
            a device is shown for as long as it passes, first with its presence and state.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Argument(
        help: ArgumentHelp("The devices; all of the home if none is named.", valueName: "device"),
        completion: .devices, transform: Parsing.identifier)
    var devices: [DeviceID] = []

    @OptionGroup var filtering: FilterOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let session = try Session(options)
        let scope = devices.isEmpty ? HomeScope.everyDevice : .devices(Set(devices))
        return try await session.withHome { home throws(Failure) in
            let view = LiveView(
                home: home, console: console, format: common.format, filter: filtering.filter)
            let failure = await Interrupts().cancelling {
                async let _ = OpenCommands.takeOverWhenConnected(home, console)
                return await view.show(scope)
            }
            if let error = failure ?? nil { throw session.failure(for: error) }
            return .done
        }
    }
}
