import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport show`.
struct ShowVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one device: description, state, latest telemetry, commands.",
        discussion: """
            Example: homeport show sweeper-1 --wait

            Telemetry is not retained: without --wait it is shown if a sample came while the \
            retained messages did.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Argument(
        help: ArgumentHelp(
            "The device: its id or name, as 'homeport devices' lists them.", valueName: "device"),
        completion: .devices)
    var device: String

    @OptionGroup var waiting: WaitOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            var known = try await home.observation.onEveryChannel(try await home.find(device))
            await reportLostChannel(of: known, home, console)
            let hasWaited = await waitForSample(of: known, home, console)
            known = home.latest(known.id) ?? known
            var renderer = ShowRenderer(format: common.format, layout: console.layout)
            if !home.reportsTelemetry(known) { renderer.telemetry = .none }
            if hasWaited { renderer.telemetry = .awaited(waiting.limit) }
            console.write(renderer.lines(for: known))
            await OpenCommands.takeOver(home, call)
            return .done
        }
    }

    /// - Returns: whether it waited for a sample.
    private func waitForSample(
        of device: KnownDevice, _ home: Home, _ console: Console
    ) async -> Bool {
        guard waiting.wait == true, device.telemetry == nil, device.connection != .unknown else {
            return false
        }
        guard home.reportsTelemetry(device) else {
            console.note("\(device.id) sends no telemetry: channel \(device.channel) has none")
            return false
        }
        if case .offline = device.connection {
            console.note("\(device.id) sends no telemetry: it is offline")
            return false
        }
        console.progress("waiting for a sample of \(device.id), \(waiting.limit.text) at most")
        let silent = await home.waitForTelemetry(of: [device.id], within: waiting.limit)
        if !silent.isEmpty {
            console.note("\(device.id) sent no sample within \(waiting.limit.text)")
        }
        return true
    }

    /// A device of a channel that is down is shown as it was last known.
    private func reportLostChannel(
        of device: KnownDevice, _ home: Home, _ console: Console
    ) async {
        guard device.connection == .unknown,
            let channel = await home.channels().first(where: { $0.id == device.channel }),
            case .lost = channel.link
        else { return }
        console.note(
            "the channel \(channel.id) is down: \(channel.reason); "
                + "the device is shown as it was last known")
    }
}
