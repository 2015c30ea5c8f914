import Fleet
import Glibc
import LocalBroker
import Logging
import ServiceLifecycle
import UnixSignals

/// The composition root of `homeport-sim run`.
struct SimulatorRun {
    let command: RunCommand

    func run() async throws {
        let homes = try command.fleet.chosenHomes()
        let plan = FleetPlan(homes: homes, counts: command.fleet.counts, seed: command.fleet.seed)
        // A file that may not grow any more is an error to report, not a signal to die of.
        signal(SIGXFSZ, SIG_IGN)
        try DescriptorLimit.raise(for: plan.devices.count)
        let directory = try command.journal.map { try JournalDirectory(path: $0) } ?? .temporary()
        defer { directory.release() }
        let journal = try Journal(in: directory)
        if let broker = try command.chosenBroker() {
            try await run(plan, journal, on: broker, beside: [])
        } else {
            try await runWithPrivateBroker(plan, journal, home: homes.first)
        }
    }

    private func runWithPrivateBroker(
        _ plan: FleetPlan, _ journal: Journal, home: String
    ) async throws {
        try await PrivateBroker.withBroker { broker in
            Console.say("broker \(broker.url)")
            let announcement = BrokerAnnouncement(
                url: broker.url, processID: getpid(), home: home)
            try await MeetingPoint().withAnnouncement(announcement) {
                try await run(
                    plan, journal, on: FleetBroker(url: broker.url),
                    beside: [PrivateBrokerWatch(broker: broker)])
            }
        }
    }

    private func run(
        _ plan: FleetPlan, _ journal: Journal, on broker: FleetBroker, beside others: [any Service]
    ) async throws {
        let fleet = try Fleet(
            plan: plan, journal: journal, broker: broker,
            protocolVersion: command.mqttVersion,
            telemetryInterval: command.fleet.telemetryInterval, report: { Console.say("\($0)") })
        var services: [any Service] = [fleet] + others
        if let address = command.metrics {
            services.append(try MetricsEndpoint(listeningOn: address, fleet: fleet))
        }
        if let duration = command.duration { services.append(Deadline(duration: duration)) }
        let secondInterrupt = SecondInterrupt()
        services.append(secondInterrupt)
        let group = group(of: services)
        try await secondInterrupt.guarding { try await group.run() }
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
