import BoxedDevices
import DeviceDomain
import DeviceSimulation
import Fleet
import Glibc
import LocalBroker
import LocalServices
import Logging
import Scenarios
import ServiceLifecycle
import TerminalOutput
import UnixSignals

/// The composition root of `homeport-sim run`.
struct SimulatorRun {
    /// What a boxed device has open at most: lock, journal, listener, connections and its broker.
    private static let descriptors = 8

    private let setup: RunSetup
    /// The homes of each process; this one has the first.
    private let parts: [FleetHomes]
    private let plan: FleetPlan
    /// The devices of this process.
    private let ownPlan: FleetPlan
    /// What people see on a terminal.
    private let board = LiveBoard(on: .simulator)

    /// - Throws: `FleetError` where the homes cannot be shared like this.
    init(_ setup: RunSetup) throws {
        self.setup = setup
        let homes = try setup.homesOfShard()
        parts = homes.shared(among: setup.command.fleet.processes)
        plan = setup.plan(of: homes)
        ownPlan = parts.count == 1 ? plan : setup.plan(of: parts[0])
    }

    private var command: RunCommand { setup.command }

    func run() async throws {
        for file in command.world.report { try file.prepare() }
        if setup.isVirtual { return try await runVirtually() }
        let brokers = try command.brokers()
        try brokers?.checkIdentities(of: plan)
        // A file that may not grow any more is an error to report, not a signal to die of.
        signal(SIGXFSZ, SIG_IGN)
        try Preflight.check(load(on: brokers), within: .raised())
        let directory = try command.journal.map { try JournalDirectory(path: $0) } ?? .temporary()
        defer { directory.release() }
        if let brokers {
            try await run(in: directory, on: brokers, sharing: nil, beside: [])
        } else {
            try await runWithPrivateBroker(in: directory)
        }
    }

    /// What this run asks of the machine.
    /// - Parameter brokers: those that are named; `nil` for a private one.
    private func load(on brokers: FleetBrokers?) -> Preflight.Load {
        var counts: [HomeID: Int] = [:]
        for device in plan.devices { counts[device.identity.home, default: 0] += 1 }
        let boxed = Self.descriptors * command.boxedCount
        var ofParts = parts.map { homes in
            (
                devices: homes.ids.reduce(0) { $0 + (counts[$1] ?? 0) },
                faults: setup.script.linkFaults(in: Set(homes.ids))
            )
        }
        ofParts[0].devices += boxed
        let largest = ofParts.max {
            $0.devices + $0.faults.files < $1.devices + $1.faults.files
        }
        var load = Preflight.Load(
            devices: plan.devices.count + boxed,
            mostInOneProcess: largest?.devices ?? 0, homes: counts.count,
            files: parts.count + (parts.map(\.journalFileCount).max() ?? 0) - 2,
            devicesOfBrokers: brokers?.counts(of: plan) ?? [plan.devices.count + boxed],
            hasPrivateBroker: brokers == nil, sources: command.sources.count,
            usesTLS: brokers?.usesTLS ?? false)
        load.filesOfLinkFaults = largest?.faults.files ?? 0
        load.intruders = ofParts.reduce(0) { $0 + $1.faults.takenOver }
        return load
    }

    private func runWithPrivateBroker(in directory: JournalDirectory) async throws {
        let boxed = BoxedFleet.devices(
            count: command.boxedCount, home: setup.homes.firstID)
        let passwords = DevicePasswords()
        let users = DeviceUsers(plan.devices.map(\.key) + boxed, passwords)
        try await PrivateBroker.withBroker(users.configuration) { broker in
            let announcement = BrokerAnnouncement(
                url: broker.url, processID: getpid(), home: parts[0].first,
                credentials: broker.credentials)
            let meetingPoint = MeetingPoint()
            if let warning = meetingPoint.warning { Console.simulator.announce(warning) }
            try await meetingPoint.withAnnouncement(announcement) {
                reportBroker(
                    to: broker, file: meetingPoint.path(of: announcement),
                    clients: meetingPoint.clientFolder(of: announcement))
                try await run(
                    in: directory,
                    on: FleetBrokers(
                        [FleetBroker(url: broker.url, users: users.credentials)],
                        sources: command.sources),
                    sharing: WorkerRequest.BrokerShare(
                        url: broker.url, secret: passwords.secret,
                        controller: broker.credentials),
                    beside: [PrivateBrokerWatch(broker: broker)])
            }
        }
    }

    /// `homeport` finds everything in the file by itself; other tools have to be told.
    private func reportBroker(to broker: RunningBroker, file: String, clients: String) {
        let user = broker.credentials.username
        Console.simulator.announce("broker \(broker.url)")
        Console.simulator.announce(
            "other tools connect as user \(user), with the password in \(file), for example:")
        Console.simulator.announce(
            "  XDG_CONFIG_HOME='\(clients)' mosquitto_sub -t 'homeport/#' -v")
    }

    private func run(
        in directory: JournalDirectory, on brokers: FleetBrokers,
        sharing share: WorkerRequest.BrokerShare?, beside others: [any Service]
    ) async throws {
        let announcer = Announcer(JoinedNotices(of: plan, in: parts, on: brokers), on: board)
        let workers = try startWorkers(announcer)
        let fleet = try await wholeFleet(workers, in: directory, on: brokers, share, announcer)
        let boxed = try boxedDevices(in: directory, on: brokers)
        var services: [any Service] = [fleet] + others
        if let address = command.metrics {
            services.append(try await MetricsEndpoint(listeningOn: address, fleet: fleet))
        }
        if let boxed { services.append(boxed) }
        let controlled = ControlledFleet(fleet: fleet, brokers: brokers, boxed: boxed)
        if let control = controlSocket(of: controlled) { services.append(control) }
        let start = fleet.clock.monotonicTime
        let scenario = try scenarioRun(beside: fleet, on: brokers, share)
        if let scenario {
            services.append(scenario)
        } else if let duration = setup.wallDuration {
            services.append(Deadline(duration: duration, start: start, clock: fleet.clock))
        }
        if board.isPossible { services.append(LiveView(board: board, fleet: fleet)) }
        let secondInterrupt = SecondInterrupt()
        services.append(secondInterrupt)
        let group = group(of: services)
        fleet.clock.begin(at: start)
        try await secondInterrupt.guarding {
            _ = try await workers.ask(.begin(at: start))
            try await group.run()
        }
        var report = try await fleet.report(seed: setup.seed)
        if let scenario {
            report.assertions = scenario.outcomes.all
            report.commands.merge(await scenario.part.tally)
        }
        await workers.finish()
        try finish(report)
    }

    /// What carries out the scenario, if there is one.
    private func scenarioRun(
        beside fleet: WholeFleet, on brokers: FleetBrokers, _ share: WorkerRequest.BrokerShare?
    ) throws -> ScenarioRun? {
        guard let plan = setup.scenario,
            let part = try setup.scenarioPart(
                1, of: ownPlan, in: fleet.own, on: brokers, as: share?.controller,
                fleet.clock)
        else { return nil }
        return ScenarioRun(
            plan: plan, part: part, workers: fleet.workers, clock: fleet.clock)
    }

    private func startWorkers(_ announcer: Announcer) throws -> [Worker] {
        try parts.enumerated().dropFirst().map { place, homes in
            try Worker(number: place + 1, of: parts.count, for: homes) { notice in
                announcer.say(notice, part: place + 1)
            }
        }
    }

    /// Makes the devices of all processes, whose world goes on where the last one was.
    private func wholeFleet(
        _ workers: [Worker], in directory: JournalDirectory, on brokers: FleetBrokers,
        _ share: WorkerRequest.BrokerShare?, _ announcer: Announcer
    ) async throws -> WholeFleet {
        async let opened = workers.ask(.open(journal: directory.path, broker: share))
        let journal = try Journal(in: directory, homes: parts[0].ids)
        let instants =
            try await opened.compactMap(\.instant) + [journal.lastInstant].compactMap(\.self)
        let clock = FleetClock.forRun(
            epoch: setup.epoch, after: instants.max(), speed: setup.factor,
            lasting: setup.wallDuration)
        async let prepared = workers.ask(.prepare(epoch: clock.epoch, end: clock.end))
        let own = try setup.fleet(
            1, of: ownPlan, journal, on: brokers, clock
        ) { announcer.say($0, part: 1) }
        _ = try await prepared
        return WholeFleet(own: own, homes: parts[0], workers: workers, plan: plan, clock: clock)
    }

    /// Runs the world without a broker.
    private func runVirtually() async throws {
        let announcer = Announcer(JoinedNotices(of: plan, in: parts, on: nil), on: board)
        let workers = try startWorkers(announcer)
        let duration = setup.worldDuration
        let clock = FleetClock.forRun(epoch: setup.epoch, after: nil, speed: 1, lasting: nil)
        let judge = VirtualJudge(setup.scenario)
        judge.announceWhatIsLeftOut()
        let (own, setup) = (ownPlan, setup)
        var (report, lines) = try await withThrowingTaskGroup(of: [JSONObject].self) { group in
            group.addTask {
                try await setup.virtualRun(of: own, from: clock.epoch) {
                    announcer.say($0, part: 1)
                }.lines(for: setup.scenario, of: own)
            }
            for worker in workers {
                group.addTask {
                    try await worker.ask(.simulate(epoch: clock.epoch)).map(\.all)
                }
            }
            let begin = ContinuousClock.now
            let lines = try await group.reduce(into: [JSONObject]()) { $0 += $1 }
            let report = FleetReport(
                seed: setup.seed, epoch: clock.epoch, world: duration,
                wall: begin.duration(to: .now))
            return (report, lines)
        }
        for line in lines where !judge.isMeasurement(line) { report.add(line) }
        report.assertions = judge.outcomes(of: lines, from: clock.epoch)
        report.leftOut = judge.leftOut
        await workers.finish()
        report.arrange(as: plan)
        let speed = Int(report.speedReached.rounded())
        Console.simulator.announce(
            "\(report.world.seconds) s of \(report.devices.count) devices in "
                + "\((report.wall.seconds * 10).rounded() / 10) s, \(speed) times as fast as real time"
        )
        try finish(report)
    }

    /// Writes the reports that were asked for.
    /// - Throws: what ``RunVerdict/check()`` throws.
    private func finish(_ report: FleetReport) throws {
        var report = report
        report.scenario = setup.scenario?.scenario.text
        report.askedSpeed = setup.askedSpeed
        let files = command.world.report
        for file in files { try file.write(report) }
        try RunVerdict(of: report, in: files.map(\.path) + [command.scenario].compactMap(\.self))
            .check()
    }

    private func boxedDevices(
        in directory: JournalDirectory, on brokers: FleetBrokers
    ) throws -> BoxedFleet? {
        guard command.boxedCount > 0 else { return nil }
        let home = setup.homes.firstID
        let settings = BoxedSettings(
            surroundings: try command.boxed.networks(), failSafe: command.boxed.failSafe,
            ownBroker: brokers[home],
            broker: { url throws(FleetError) in try FleetBroker(at: url) },
            protocolVersion: command.mqttVersion,
            telemetryInterval: command.fleet.telemetryInterval,
            report: { [board] in board.announce("\($0)") })
        return try BoxedFleet(
            count: command.boxedCount, home: home, seed: setup.seed, in: directory, settings)
    }

    /// Where other programs of the user ask; the devices do without it where it cannot be.
    private func controlSocket(of fleet: ControlledFleet) -> ControlSocket? {
        do {
            return try ControlSocket(at: MeetingPoint(), for: fleet)
        } catch {
            Console.simulator.announce(
                "'homeport-sim status' and 'inject' will not find this fleet: \(error)")
            return nil
        }
    }

    private func group(of services: [any Service]) -> ServiceGroup {
        var logger = Logger(label: "homeport-sim", factory: { _ in SwiftLogNoOpLogHandler() })
        logger.logLevel = .critical
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    .init(
                        service: DescribedService($0),
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup)
                },
                gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
    }
}
