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
                      homeport serve --homes all --database postgresql://homeport@db.example/homeport

            It sends what is queued when devices come back, runs the commands of 'homeport \
            schedule' and the rules of 'homeport rule', and carries out the other verbs of this user for the same home, ledger and \
            broker over a local socket, which is faster. 'ready' on a line of its own on stderr \
            says that it listens. SIGTERM, SIGHUP and Ctrl-C end it.

            With --http it shows the home in a browser: open the link that it prints. The link \
            contains a token that lets one browser in, once; 'homeport dashboard' prints another \
            link. A browser stays signed in, also over a new start on the same address. Only this \
            machine can reach the dashboard unless you name another address, a certificate and \
            credentials.

            It keeps the samples of all devices, which 'homeport telemetry' prints; in PostgreSQL only with \
            --keep-telemetry.

            With --home-assistant every device appears in Home Assistant, whose MQTT integration \
            must use the same broker. Its commands are tracked like all others ('homeport \
            history'). Of several servers of a home only one may have this option: a second one of \
            the same ledger ends at once.

            With --homes it drives its share of the homes of a ledger in PostgreSQL, beside other \
            instances on any machine; 'homeport instances' lists them. When one dies, the others take its \
            homes as soon as its lease is over. It sends, runs schedules and rules, and asks what became of \
            commands; it has no dashboard, no Home Assistant and no socket. 'ready' \
            says that it has looked for its share once.

            \(VerbStatus.help(
                [.done, .notDone, .noConnection] + VerbStatus.ofEveryHome,
                but: [.notDone: "another server announces the home to Home Assistant"]))
            """)

    /// How long a history in PostgreSQL may be kept.
    private static let ages = Duration.seconds(86_400)...Duration.seconds(3_660 * 86_400)

    @OptionGroup(title: "Several homes") var instance: InstanceOptions
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

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long a ledger in PostgreSQL keeps samples, presence and events: 1d to 3660d.",
            discussion: "Default: not at all.", valueName: "time"),
        transform: Parsing.duration)
    var keepTelemetry: Duration?

    func validate() throws {
        if let keepTelemetry, !Self.ages.contains(keepTelemetry) {
            throw ValidationError("--keep-telemetry is from 1d to 3660d")
        }
        guard instance.homes != nil else { return }
        guard common.home == nil else {
            throw ValidationError("--homes names the homes: leave out --home")
        }
        if dashboard.http != nil {
            throw ValidationError(
                "--http shows one home, and --homes drives several that come and go: serve that home with "
                    + "'homeport serve --home ID --http', or leave out --http")
        }
        if homeAssistant || homeAssistantPrefix != nil {
            throw ValidationError(
                "--home-assistant announces one home, and --homes drives several that come and go: serve that "
                    + "home with 'homeport serve --home ID --home-assistant', or leave it out")
        }
    }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        if var plan = instance.plan {
            plan.keptTelemetry = keepTelemetry
            return try await drive(plan, in: call)
        }
        let dashboard = try openedDashboard(in: call)
        let log = ServerLog(of: HomeportCommand.name)
        var call = call
        call.console = call.console.copyingRemarks { log.add($0, at: MachineClock.wallTime) }
        let session = try Session(options, call, runsUntilStopped: true)
        let served = try options.inContext()
        let prefix = homeAssistantPrefix ?? (homeAssistant ? .standard : nil)
        let (kept, keptTelemetry) = (keepHistory, keepTelemetry)
        let notifications =
            try common.configurationFile()?.notifications ?? ConfiguredNotifications()
        return try await session.withHome { [call] home throws(CommandLineError) in
            let ended = await Interrupts(of: call).cancelling { () -> CommandLineError? in
                do {
                    try await HomeServer(
                        home: home, console: call.console, log: log, dashboard: dashboard,
                        options: served, announcesUnder: prefix, keptHistory: kept,
                        keptTelemetry: keptTelemetry,
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

    /// Drives several homes.
    private func drive(
        _ plan: InstancePlan, in call: Call
    ) async throws(CommandLineError) -> VerbStatus {
        let server = InstanceServer(
            session: try Session(options, call, runsUntilStopped: true), console: call.console,
            plan: plan,
            notifications: try common.configurationFile()?.notifications
                ?? ConfiguredNotifications())
        return try await server.run(Interrupts(of: call))
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
