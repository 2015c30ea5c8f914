import ArgumentParser
import Glibc
import HomeAssistant
import Homeport
import TerminalOutput

/// `homeport serve`.
struct ServeVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract:
            "Goes on running: keeps connections, runs schedules and rules, serves other calls.",
        discussion: """
            Examples: homeport serve --home villa --broker mqtts://broker.example
                      homeport serve --http 127.0.0.1:8080

            It sends what is queued when devices come back, runs the commands of 'homeport \
            schedule' and the rules of 'homeport rule', and carries out the other verbs of this user for the same home, ledger and \
            broker over a local socket, which is faster. 'ready' on a line of its own on stderr \
            says that it listens. SIGTERM, SIGHUP and Ctrl-C end it.

            With --http it shows the home in a browser: open the link that it prints. The link \
            contains a token that lets one browser in, once; 'homeport dashboard' prints another \
            link. A browser stays signed in, also over a new start on the same address. Only this \
            machine can reach the dashboard unless you name another address, a certificate and \
            credentials.

            It keeps the samples of all devices, which 'homeport telemetry' prints.

            With --home-assistant every device appears in Home Assistant, whose MQTT integration \
            must use the same broker. Its commands are tracked like all others ('homeport \
            history'). Of several servers of a home only one may have this option: a second one of \
            the same ledger ends at once.

            \(VerbStatus.help(
                [.done, .notDone, .noConnection] + VerbStatus.ofEveryHome,
                but: [.notDone: "another server announces the home to Home Assistant"]))
            """)

    @OptionGroup(title: "Dashboard") var dashboard: DashboardOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    @Flag(help: "Announces the devices to Home Assistant by MQTT discovery.")
    var homeAssistant = false

    @Option(
        help: ArgumentHelp(
            "Home Assistant's discovery prefix; implies --home-assistant.",
            discussion: "Default: \(DiscoveryPrefix.standard).", valueName: "topic"),
        transform: { try DiscoveryPrefix($0) })
    var homeAssistantPrefix: DiscoveryPrefix?

    @Option(
        help: ArgumentHelp(
            "How long samples, presence and events are kept: year, or none.",
            discussion: """
                Default: \(KeptHistory.year.rawValue). Each sample for a day, means of five minutes \
                for a month, those of an hour and events for a year, in a file beside the ledger.
                """, valueName: "time"))
    var keepHistory = KeptHistory.year

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let dashboard = try openedDashboard(in: call)
        let log = ServerLog(of: HomeportCommand.name)
        var call = call
        call.console = call.console.copyingRemarks { log.add($0, at: MachineClock.wallTime) }
        let session = try Session(options, call, runsUntilStopped: true)
        let served = try options.inContext()
        let prefix = homeAssistantPrefix ?? (homeAssistant ? .standard : nil)
        let kept = keepHistory
        let notifications =
            try common.configurationFile()?.notifications ?? ConfiguredNotifications()
        return try await session.withHome { [call] home throws(CommandLineError) in
            let ended = await Interrupts(of: call).cancelling { () -> CommandLineError? in
                do {
                    try await HomeServer(
                        home: home, console: call.console, log: log, dashboard: dashboard,
                        options: served, announcesUnder: prefix, keptHistory: kept,
                        notifications: notifications
                    ).run()
                    return nil
                } catch let failure as CommandLineError {
                    return failure
                } catch let error as HomeError {
                    return session.failure(for: error)
                } catch let error as HomeAssistantError {
                    return CommandLineError(.noConnection, error.message)
                } catch {
                    return CommandLineError(.internalError, "\(error)")
                }
            }
            if let failure = ended ?? nil { throw failure }
            return .done
        }
    }

    /// The dashboard that is asked for; `nil` for none.
    private func openedDashboard(in call: Call) throws(CommandLineError) -> HomeDashboard? {
        guard dashboard.http != nil else { return nil }
        guard let open = call.openDashboard else { throw DashboardExecutable.exec() }
        return try open(dashboard)
    }
}

/// How long a server keeps what happens.
enum KeptHistory: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// For a year, what is older more coarsely.
    case year
    /// Not at all; what was kept earlier stays.
    case none
}
