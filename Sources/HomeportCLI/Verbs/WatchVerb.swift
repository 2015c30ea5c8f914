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

            It keeps reconnecting for ever; only refused credentials end it.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Argument(
        help: ArgumentHelp("The devices; all of the home if none is named.", valueName: "device"),
        completion: .devices, transform: Parsing.identifier)
    var devices: [DeviceID] = []

    @OptionGroup(title: "Home, broker and output") var common: CommonOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let session = try Session(common)
        let renderer = WatchRenderer(format: common.format)
        let scope = devices.isEmpty ? HomeScope.everyDevice : .devices(Set(devices))
        return try await session.withHome { home throws(Failure) in
            let view = LiveView(home: home, console: console, renderer: renderer)
            let failure = await Interrupts().cancelling {
                async let _ = takeOver(home, console)
                return await view.show(scope)
            }
            if let error = failure ?? nil { throw session.failure(for: error) }
            return .done
        }
    }

    private func takeOver(_ home: Home, _ console: Console) async {
        guard await home.isConnected() else { return }
        await OpenCommands.takeOver(home, console)
    }
}
