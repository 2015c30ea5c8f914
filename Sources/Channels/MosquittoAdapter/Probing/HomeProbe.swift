internal import Basics
package import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
package import MQTTClient
package import MQTTLink

/// Observes a broker and the devices of a home on it.
///
/// It changes nothing: devices get one dry run each, which has no effect, under a controller id of its
/// own, so that no other process takes the answers for its own. What else it publishes is for itself or
/// without payload, which the protocol has every device ignore.
package actor HomeProbe {
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// How many devices are asked and looked at more closely.
    package static let sample = 200
    /// A device that is not there, for topics that are only tried.
    static let nonexistentDevice = "homeport-doctor"

    private nonisolated let eventLoop: MQTTEventLoop
    private nonisolated let link: MQTTLinkConfiguration
    let home: HomeID
    private let known: Set<DeviceID>
    let times: HomeProbeTimes
    let wallClock: @Sendable () -> Timestamp
    /// Who asks the devices.
    let asker: ControllerID
    var watch = DeviceWatch()

    /// - Parameters:
    ///   - link: how the broker is reached.
    ///   - controller: for whom the devices are asked.
    ///   - home: the home whose devices are looked at.
    ///   - known: devices that are known from earlier.
    package init(
        _ link: MQTTLinkConfiguration, for controller: ControllerID, home: HomeID,
        known: Set<DeviceID>, times: HomeProbeTimes = HomeProbeTimes(), on eventLoop: MQTTEventLoop,
        wallClock: @escaping @Sendable () -> Timestamp = Timestamp.wallClock
    ) {
        asker = controller.doctor
        self.link = link
        self.home = home
        self.known = known
        self.times = times
        self.eventLoop = eventLoop
        self.wallClock = wallClock
    }

    /// Connects, observes and disconnects.
    /// - Throws: why there is no connection. One that is lost later is part of the report.
    package func run() async throws(MQTTError) -> HomeProbeReport {
        let connection = try ProbeConnection(link, on: eventLoop)
        return try await ProbeConnection.with(connection) { info throws(MQTTError) in
            await connection.listen { [weak self] message in
                self?.assumeIsolated { $0.watch.take(message, at: $0.wallClock()) }
            }
            var report = HomeProbeReport(connection: info, asker: asker)
            do throws(MQTTError) {
                try await observe(over: connection, &report)
            } catch {
                report.interruption = error
            }
            report.devices = watch.devices
            return report
        }
    }

    private func observe(
        over connection: ProbeConnection, _ report: inout HomeProbeReport
    ) async throws(MQTTError) {
        let start = ContinuousClock.now
        try await subscribe(
            .home(
                home, [.fence, .presence, .telemetry, .event, .ack], controller: asker),
            over: connection, &report)
        try await passFence(over: connection, &report)
        try await findReplay(over: connection, &report)
        try await readDevices(over: connection, &report)
        try await tryTopics(over: connection, &report)
        try await ask(over: connection, &report)
        if report.isFenceHeard == true { try await measure(over: connection, &report) }
        try await watchDevices(since: start, over: connection)
    }

    /// Measures with further connections, which the broker may refuse or lose without this one.
    private func measure(
        over connection: ProbeConnection, _ report: inout HomeProbeReport
    ) async throws(MQTTError) {
        let probe = try broker(over: connection)
        do throws(MQTTError) {
            report.latency = try await probe.latency()
            report.queueDepth = .success(try await probe.queueDepth())
            report.takesLargePayload = try await probe.takesLargePayload()
        } catch {
            report.queueDepth = .failure(error)
            // Throws if this connection was lost too.
            try await connection.pause(.zero)
        }
    }

    func broker(over connection: ProbeConnection) throws(MQTTError) -> BrokerProbe {
        try BrokerProbe(
            link, over: connection, echo: MQTTTopic(DeviceTopic.fence(home)),
            limit: times.answer, on: eventLoop)
    }

    // MARK: Replay

    private func findReplay(
        over connection: ProbeConnection, _ report: inout HomeProbeReport
    ) async throws(MQTTError) {
        if watch.hasReplay {
            report.replay = .toEveryFilter
        } else if !report.connection.limits.retainAvailable {
            report.replay = .never
        } else if report.isFenceHeard == true {
            try await tryReplay(over: connection, &report)
        }
    }

    /// Asks for what known devices retain, else for a message that is retained for a moment.
    private func tryReplay(
        over connection: ProbeConnection, _ report: inout HomeProbeReport
    ) async throws(MQTTError) {
        let silent = known.sorted().prefix(Self.sample)
        if !silent.isEmpty {
            try await subscribe(
                silent.flatMap { [MQTTSubscriptionRequest].device($0, in: home, [.presence]) },
                over: connection, &report)
            try await passFence(over: connection, &report)
        }
        report.replay =
            watch.hasReplay
            ? .toExactFilters : try await broker(over: connection).retainedReplay()
    }

    /// Hears what the devices retain besides their presence.
    private func readDevices(
        over connection: ProbeConnection, _ report: inout HomeProbeReport
    ) async throws(MQTTError) {
        let devices = watch.devices.keys.sorted()
        let isLarge = devices.count > Self.sample || report.replay == .toExactFilters
        let subscriptions =
            isLarge
            ? devices.prefix(Self.sample).flatMap {
                [MQTTSubscriptionRequest].device($0, in: home, [.description, .state])
            } : .home(home, [.description, .state])
        // What does not come is known to be missing only behind a fence.
        if report.isFenceHeard == true {
            for device in devices.prefix(Self.sample) { watch.subscribed(to: device) }
        }
        try await subscribe(subscriptions, over: connection, &report)
        if report.isFenceHeard == true { try await passFence(over: connection, &report) }
    }

    /// Waits for a while, then for answers, then longer where a device may have two owners.
    private func watchDevices(
        since start: ContinuousClock.Instant, over connection: ProbeConnection
    ) async throws(MQTTError) {
        guard !watch.devices.isEmpty else { return }
        try await connection.pause(times.watch - start.duration(to: .now))
        if watch.isWaiting {
            let answers = await connection.expect(
                within: times.answer - start.duration(to: .now)
            ) { [weak self] _ in self?.assumeIsolated { !$0.watch.isWaiting } ?? true }
            _ = await answers.value(ifCancelled: false)
        }
        if watch.isSuspicious, !watch.hasTwoOwners {
            let proof = await connection.expect(
                within: times.longWatch - start.duration(to: .now)
            ) { [weak self] _ in self?.assumeIsolated { $0.watch.hasTwoOwners } ?? true }
            _ = await proof.value(ifCancelled: false)
        }
    }
}
