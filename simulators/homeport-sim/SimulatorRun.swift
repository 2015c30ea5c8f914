import BoxedDevices
import DeviceDomain
import DeviceSimulation
import Fleet
import Glibc
import LocalBroker
import LocalServices
import Logging
import ServiceLifecycle
import TerminalOutput
import UnixSignals

/// The composition root of `homeport-sim run`.
struct SimulatorRun {
    /// What a boxed device has open at most: lock, journal, listener, connections and its broker.
    private static let descriptors = 8

    let command: RunCommand

    func run() async throws {
        let homes = try command.fleet.chosenHomes()
        let plan = FleetPlan(
            homes: homes, counts: command.fleet.counts, seed: command.fleet.seed,
            wearing: command.world.wear)
        if let path = command.world.report { try ReportFile.prepare(path) }
        if command.world.isVirtual { return try await runVirtually(plan) }
        let broker = try command.target.chosen()
        try broker?.checkIdentities(of: plan)
        // A file that may not grow any more is an error to report, not a signal to die of.
        signal(SIGXFSZ, SIG_IGN)
        try DescriptorLimit.raise(
            for: plan.devices.count + Self.descriptors * command.boxed.unprovisioned)
        let directory = try command.journal.map { try JournalDirectory(path: $0) } ?? .temporary()
        defer { directory.release() }
        let journal = try Journal(in: directory)
        if let broker {
            try await run(plan, journal, in: directory, on: broker, beside: [])
        } else {
            try await runWithPrivateBroker(plan, journal, in: directory, home: homes.first)
        }
    }

    private func runWithPrivateBroker(
        _ plan: FleetPlan, _ journal: Journal, in directory: JournalDirectory, home: String
    ) async throws {
        let boxed = try BoxedFleet.devices(
            count: command.boxed.unprovisioned, home: command.fleet.chosenHomes().firstID)
        let users = DeviceUsers(plan.devices.map(\.key) + boxed)
        try await PrivateBroker.withBroker(users.configuration) { broker in
            let announcement = BrokerAnnouncement(
                url: broker.url, processID: getpid(), home: home, credentials: broker.credentials)
            let meetingPoint = MeetingPoint()
            if let warning = meetingPoint.warning { Console.simulator.announce(warning) }
            try await meetingPoint.withAnnouncement(announcement) {
                reportBroker(
                    to: broker, file: meetingPoint.path(of: announcement),
                    clients: meetingPoint.clientFolder(of: announcement))
                try await run(
                    plan, journal, in: directory,
                    on: FleetBroker(url: broker.url, users: users.credentials),
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
        _ plan: FleetPlan, _ journal: Journal, in directory: JournalDirectory,
        on broker: FleetBroker, beside others: [any Service]
    ) async throws {
        let fleet = try Fleet(
            plan: plan, journal: journal, broker: broker,
            protocolVersion: command.mqttVersion,
            telemetryInterval: command.fleet.telemetryInterval, clock: command.world.clock,
            isReported: command.world.report != nil,
            report: { Console.simulator.announce("\($0)") })
        var services: [any Service] = [fleet] + others
        if let address = command.metrics {
            services.append(try await MetricsEndpoint(listeningOn: address, fleet: fleet))
        }
        let boxed = try boxedDevices(in: directory, on: broker)
        if let boxed { services.append(boxed) }
        let controlled = ControlledFleet(fleet: fleet, broker: "\(broker)", boxed: boxed)
        if let control = controlSocket(of: controlled) { services.append(control) }
        if let duration = command.duration { services.append(Deadline(duration: duration)) }
        let secondInterrupt = SecondInterrupt()
        services.append(secondInterrupt)
        let group = group(of: services)
        try await secondInterrupt.guarding { try await group.run() }
        let report = await fleet.report(seed: command.fleet.seed)
        if let path = command.world.report { try ReportFile.write(report, to: path) }
        if let violated = InvariantsViolated(report.invariants) { throw violated }
    }

    /// Runs the world without a broker.
    private func runVirtually(_ plan: FleetPlan) async throws {
        let run = VirtualRun(
            of: plan, seed: command.fleet.seed,
            telemetryInterval: command.fleet.telemetryInterval,
            epoch: command.world.clock.now.world, duration: command.duration ?? .zero,
            report: { Console.simulator.announce("\($0)") })
        let report = try await run.run()
        let speed = Int(report.speedReached.rounded())
        Console.simulator.announce(
            "\(report.world.seconds) s of \(report.devices.count) devices in "
                + "\((report.wall.seconds * 10).rounded() / 10) s, \(speed) times as fast as real time"
        )
        if let path = command.world.report { try ReportFile.write(report, to: path) }
        if let violated = InvariantsViolated(report.invariants) { throw violated }
    }

    private func boxedDevices(
        in directory: JournalDirectory, on broker: FleetBroker
    ) throws -> BoxedFleet? {
        guard command.boxed.unprovisioned > 0 else { return nil }
        let settings = BoxedSettings(
            surroundings: try command.boxed.networks(), failSafe: command.boxed.failSafe,
            ownBroker: broker,
            broker: { url throws(FleetError) in try FleetBroker(at: url) },
            protocolVersion: command.mqttVersion,
            telemetryInterval: command.fleet.telemetryInterval,
            report: { Console.simulator.announce("\($0)") })
        return try BoxedFleet(
            count: command.boxed.unprovisioned, home: try command.fleet.chosenHomes().firstID,
            seed: command.fleet.seed, in: directory, settings)
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
                        service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup)
                },
                gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
    }
}
