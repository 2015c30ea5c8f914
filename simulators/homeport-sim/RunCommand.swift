import ArgumentParser
import Fleet
import Scenarios
import TerminalOutput

/// `homeport-sim run`: a fleet until it is interrupted.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a fleet of simulated devices until interrupted.",
        usage: "homeport-sim run [SCENARIO.yaml] [options]",
        discussion: """
            Without --broker a private mosquitto is started on a free loopback port. Its URL is \
            printed on standard error, then how other tools connect: it asks for a password, which \
            homeport and further simulators read from a file by themselves. `ready N devices` \
            follows once every device is connected and has published its retained topics. An \
            interrupt takes all devices offline cleanly; a second one ends the fleet at once.

            With --unprovisioned a line `boxed HOME/NAME URL CODE` names every boxed device once its \
            access point listens; CODE is the text of the QR code on its label. They do not count \
            in `ready`. A device that is given Wi-Fi and no home joins the broker of this fleet.

            With mqtts:// the broker must prove its name with a certificate of an authority of \
            --ca-file, else of one that this system trusts, or that the files in SSL_CERT_FILE and \
            SSL_CERT_DIR name.

            A scenario says in a file which homes there are, what happens in them at which times of \
            their world, and what must hold: docs/scenarios.md. An option wins over it; --duration is \
            world time then, and --sweepers and the like set the numbers of the groups sweeper, pool \
            and store, or add them.

            EXAMPLE
              homeport-sim run evening.yaml --report evening.json
              homeport-sim run --sweepers 20 --pools 10 --stores 10 --duration 10m
              homeport-sim run --speed max --epoch 2026-06-21T00:00:00Z --duration 24h --report day.json
              homeport-sim run --duration 1h --report hour.json --report hour.xml --report hour.html
              homeport-sim run --unprovisioned 2 --wifi my-network=its-passphrase
              homeport-sim run --homes 1000 --processes 8 --metrics 127.0.0.1:9464
              homeport-sim run --homes 3000 --shard 2/3 --broker mqtt://broker.example
              homeport-sim run --homes 4000 --broker mqtt://a.example --broker mqtt://b.example
              homeport-sim run --broker mqtts://localhost --ca-file ca.crt --identities ids
              homeport-sim run --broker mqtt://localhost --dialect alink --triples triples --models models

            EXIT STATUS
              0   the run ended as asked
              1   an assertion of the scenario or an invariant of the world did not hold
              2   a fault that the run could not survive, or a machine that was too slow for a report or a scenario
              5   the broker was unreachable at the start, or refused every device
              64  wrong options
              65  a scenario that is wrong: 'homeport-sim validate' says where
            """)

    @Argument(
        help: ArgumentHelp(
            "What happens in the run, and what must hold (docs/scenarios.md).",
            valueName: "SCENARIO.yaml"),
        completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String?

    @OptionGroup(title: "Broker")
    var target: FleetBrokerOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Addresses of this machine from which connections come in turn, with commas between them; "
                + "N for 127.0.1.1 … on loopback (default: the system's choice).",
            valueName: "ADDRESS,…|N"), transform: { try SourceAddresses($0) })
    var source: SourceAddresses?

    @OptionGroup(title: "Fleet")
    var fleet: FleetOptions

    @OptionGroup(title: "Dialect")
    var dialect: DialectOptions

    @OptionGroup(title: "World")
    var world: WorldOptions

    @OptionGroup(title: "Boxed devices")
    var boxed: BoxedOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Wall time until the devices go offline; world time with --speed max and in a scenario.",
            valueName: "T"),
        transform: OptionValues.time(from: "1ms", to: "87600h"))
    var duration: Duration?

    @Option(help: ArgumentHelp("MQTT protocol version: 5 or 3.1.1.", valueName: "VERSION"))
    var mqttVersion: FleetProtocolVersion = .v5

    @Option(
        help: ArgumentHelp(
            "Where devices keep what must outlive a restart (default: a private directory, "
                + "removed at a clean end).", valueName: "DIR"),
        transform: OptionValues.folder)
    var journal: String?

    @Option(
        help: ArgumentHelp(
            "Serve Prometheus text at /metrics and readiness at /ready.", valueName: "HOST:PORT"),
        transform: { try MetricsAddress($0) })
    var metrics: MetricsAddress?

    @Option(
        help: ArgumentHelp(
            "Which part of the homes this process has; another one has started it.",
            visibility: .hidden))
    var worker: Int?

    @Flag(
        help: ArgumentHelp(
            "End in order when standard input ends; another process has started this one.",
            visibility: .hidden))
    var tied = false

    /// The addresses of `--source`; none for the system's choice.
    var sources: [String] { source?.all ?? [] }

    /// The brokers that are named; `nil` for a private one.
    /// - Throws: an error about an option.
    func brokers() throws -> FleetBrokers? {
        try target.chosen().map { FleetBrokers($0.all, sources: sources) }
    }

    /// The boxed devices of this shard: they belong to the first one.
    var boxedCount: Int { fleet.shard.number == 1 ? boxed.unprovisioned : 0 }

    func validate() throws {
        if scenario == nil { try fleet.checkShard() }
        guard scenario != nil || fleet.counts.total + boxed.unprovisioned > 0 else {
            throw ValidationError(
                "there is nothing to simulate: at least one of \(KindOptions.names) and "
                    + "--unprovisioned must be above 0")
        }
        if world.isVirtual { try validateVirtualRun() }
        try dialect.check(beside: self)
        // JSON has no larger whole numbers that every reader keeps (PROTOCOL section 2).
        guard !world.isReported || fleet.seed ?? 1 < 1 << 53 else {
            throw ValidationError("with --report, --seed must be below 9007199254740992")
        }
    }

    /// A run without a broker needs an end, and has nothing of what belongs to connections.
    private func validateVirtualRun() throws {
        guard duration != nil || scenario != nil else {
            throw ValidationError("--speed max has no end by itself: say it with --duration T")
        }
        if let option = optionOfBroker {
            throw ValidationError(
                "--speed max runs without a broker: leave \(option) out, or say another --speed")
        }
    }

    /// An option that only a run with a broker can have, if one is given.
    var optionOfBroker: String? {
        let options = [
            ("--broker", !target.broker.isEmpty), ("--source", source != nil),
            ("--journal", journal != nil),
            ("--metrics", metrics != nil), ("--unprovisioned", boxed.unprovisioned > 0),
            ("--reconnect", fleet.reconnect != nil),
        ]
        return options.first(where: \.1)?.0
    }

    func run() async throws {
        do {
            let setup = try RunSetup(self)
            if let worker {
                try await WorkerRun(setup: setup, number: worker).run()
            } else {
                if tied { TrialProcess.endWithInput() }
                try await SimulatorRun(setup).run()
            }
        } catch let problems as ScenarioProblems {
            for line in problems.lines { Console.simulator.announce(line) }
            throw ExitStatus.wrongFile
        } catch {
            Console.simulator.note("\(error)")
            throw ExitStatus.after(error)
        }
    }
}

extension FleetProtocolVersion: ExpressibleByArgument {}
