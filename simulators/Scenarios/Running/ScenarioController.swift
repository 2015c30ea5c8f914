import Basics
package import DeviceDomain
import DeviceMessages
import DeviceSimulation
import DeviceTopics
package import Fleet
package import MQTTClient

/// Sends the commands of a scenario over a connection of its own, and follows them to their final acks.
///
/// It sends at the time that is planned, whatever became of other commands. What cannot leave because there is no
/// connection leaves once there is one, unless it has expired by then; so does what left and was answered by no ack,
/// with the same bytes.
package actor ScenarioController {
    /// How far its connection has come.
    private enum Link {
        case down
        /// It subscribes; so many answers are awaited.
        case subscribing(Int)
        case up
    }

    /// A command that no ack has answered.
    private struct Unanswered {
        let message: CommandMessage
        let device: DeviceKey
        let lane: CommandLane
        var attempt = 0
    }

    /// The most filters in one SUBSCRIBE.
    private static let mostFilters = 100
    /// How long the last messages may take at the end.
    private static let drainLimit = Duration.seconds(1)

    package nonisolated let eventLoop: MQTTEventLoop
    private let id: ControllerID
    private let configuration: MQTTConfiguration
    private let subscriptions: [MQTTSubscriptionRequest]
    private let clock: FleetClock
    private var connection: MQTTConnection?
    private var link = Link.down
    private var log = CommandLog()
    private var unanswered: [CommandID: Unanswered] = [:]
    /// When commands were meant to be sent (monotonic clock).
    private var meant: [CommandID: Duration] = [:]
    private var sequences: [DeviceKey: Int] = [:]
    private var gaps = SampleGaps()
    private var retained = RetainedReading()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// - Parameters:
    ///   - id: names it; each process of a run has its own.
    ///   - credentials: as whom it connects; `nil` for those of the devices.
    ///   - homes: whose acks it hears.
    ///   - heardHomes: whose samples it hears.
    /// - Throws: `FleetError` where no thread can be made.
    package init(
        _ id: ControllerID, on broker: FleetBroker, speaking version: FleetProtocolVersion,
        credentials: MQTTCredentials?, homes: [HomeID], hearingSamplesOf heardHomes: [HomeID],
        clock: FleetClock
    ) throws(FleetError) {
        self.id = id
        self.clock = clock
        subscriptions =
            homes.flatMap { [MQTTSubscriptionRequest].home($0, [.ack], controller: id) }
            + heardHomes.flatMap { [MQTTSubscriptionRequest].home($0, [.telemetry]) }
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<4).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        do throws(MQTTError) {
            eventLoop = try MQTTEventLoop(label: "scenario")
            configuration = try broker.configuration(
                ofController: "\(id)-\(digits.hexadecimal)", speaking: version,
                credentials: credentials)
        } catch { throw FleetError(.internal, error.message) }
    }

    /// Begins to connect.
    package func connect() {
        guard connection == nil else { return }
        let connection = MQTTConnection(
            configuration: configuration, eventLoop: eventLoop, owner: self
        ) { controller, event in controller.happened(event) }
        self.connection = connection
        connection.start()
    }

    /// Ends the connection and its thread.
    package func close() async {
        if let connection {
            await withCheckedContinuation { waiter in
                connection.close(drainingFor: Self.drainLimit) { _ in waiter.resume() }
            }
            self.connection = nil
        }
        await eventLoop.shutdown()
    }

    // MARK: The connection

    private func happened(_ event: MQTTConnectionEvent) {
        switch event {
        case .connected: subscribe()
        case .message(let message): heard(message)
        case .skipped, .closed: break
        case .disconnected:
            link = .down
            retained.end()
        }
    }

    private func subscribe() {
        let batches = stride(from: 0, to: subscriptions.count, by: Self.mostFilters).map {
            Array(subscriptions[$0..<min($0 + Self.mostFilters, subscriptions.count)])
        }
        link = .subscribing(batches.count)
        for batch in batches {
            connection?.subscribe(batch) { [weak self] result in
                guard case .success = result else { return }
                self?.assumeIsolated { $0.subscribed() }
            }
        }
        if batches.isEmpty { link = .up }
    }

    private func subscribed() {
        guard case .subscribing(let rest) = link else { return }
        link = rest > 1 ? .subscribing(rest - 1) : .up
        guard case .up = link else { return }
        let now = clock.now.wire
        unanswered = unanswered.filter { $0.value.message.expiresAt >= now }
        for id in unanswered.keys.sorted(by: { $0.text < $1.text }) { transmit(id) }
    }

    private func heard(_ message: MQTTMessage) {
        guard let topic = try? DeviceTopic(message.topic.rawValue) else { return }
        switch topic {
        case .ack(_, _, id): heardAck(message.payload)
        case .telemetry(let home, let device):
            guard let sample = try? TelemetryMessage(payload: message.payload) else { return }
            gaps.note(sample.n, of: sample.boot, DeviceKey(home: home, device: device))
        case .description, .presence, .state: retained.note(message)
        case .ack, .event, .command, .desired, .hello, .fence: break
        }
    }

    // MARK: Commands

    /// Sends commands whose time has come.
    package func send(_ commands: [ScriptedCommand]) {
        for command in commands { send(command) }
    }

    private func send(_ command: ScriptedCommand) {
        let now = clock.now
        let sequence = max((sequences[command.device] ?? 0) + 1, now.wire.milliseconds)
        sequences[command.device] = sequence
        let message = command.message(by: id, issuedAt: now.wire, sequence: sequence)
        let late = max(now.world.since(clock.epoch) - command.at, .zero)
        meant[message.id] = now.monotonic - (now.pace > 0 ? late / now.pace : .zero)
        log.note(message.id, for: command.device, meantAt: command.at)
        unanswered[message.id] = Unanswered(
            message: message, device: command.device, lane: command.lane)
        transmit(message.id)
    }

    private func transmit(_ id: CommandID) {
        guard case .up = link, let connection, var command = unanswered[id] else { return }
        command.attempt += 1
        unanswered[id] = command
        connection.publish(
            .command(
                command.message.payload, lane: command.lane, home: command.device.home,
                device: command.device.device, controller: self.id, id: id,
                expiresAt: command.message.expiresAt, now: clock.now.wire,
                attempt: command.attempt)
        ) { _ in }
    }

    private func heardAck(_ payload: [UInt8]) {
        guard let ack = try? AckMessage(payload: payload), let meant = meant[ack.id] else { return }
        let now = clock.now
        log.note(ack, at: now.world.since(clock.epoch), latency: now.monotonic - meant)
        unanswered[ack.id] = nil
    }

    // MARK: What assertions ask

    /// What became of commands so far.
    func figures(
        of devices: Set<DeviceKey>, meantWithin window: ClosedRange<Duration>
    ) -> CommandFigures {
        log.figures(
            of: devices, meantWithin: window, upTo: clock.now.world.since(clock.epoch))
    }

    /// How many samples were not heard, and of which device first.
    func lostSamples(of devices: Set<DeviceKey>) -> (count: Int, first: DeviceKey?) {
        gaps.lost(of: devices)
    }

    /// What the broker retains of devices, by topic; what does not come in time is missing.
    func retainedMessages(of devices: [DeviceKey], within limit: Duration) async -> [String:
        [UInt8]]
    {
        guard case .up = link else { return [:] }
        let topics = devices.flatMap { DeviceTopic.retained(by: $0.device, in: $0.home) }
        eventLoop.schedule(after: limit) { [weak self] in
            self?.assumeIsolated { $0.retained.end() }
        }
        let found = await withCheckedContinuation { waiter in
            retained.begin(topics.map(\.text), waiter)
            askForRetained(topics[...])
        }
        connection?.unsubscribe(topics.map { MQTTTopicFilter(MQTTTopic($0)) })
        return found
    }

    /// Subscribes to a few topics at a time: a broker's queue drops what is too much at once (PROTOCOL section 1).
    private func askForRetained(_ topics: ArraySlice<DeviceTopic>) {
        let batch = topics.prefix(Self.mostFilters - 1)
        guard !batch.isEmpty, let connection, case .up = link else { return retained.endIfWhole() }
        let requests = batch.map {
            MQTTSubscriptionRequest(MQTTTopicFilter(MQTTTopic($0)), qos: .atMostOnce)
        }
        connection.subscribe(requests) { [weak self] _ in
            self?.assumeIsolated { $0.askForRetained(topics.dropFirst(batch.count)) }
        }
    }
}

/// A reading of what a broker retains: it ends when everything was heard, or when somebody ends it.
private struct RetainedReading {
    private enum State {
        case none
        case reading(missing: Set<String>, CheckedContinuation<[String: [UInt8]], Never>)
    }

    private var state = State.none
    private var found: [String: [UInt8]] = [:]

    /// Begins; a former reading ends.
    mutating func begin(
        _ topics: [String], _ waiter: CheckedContinuation<[String: [UInt8]], Never>
    ) {
        end()
        state = .reading(missing: Set(topics), waiter)
    }

    /// Notes a message.
    mutating func note(_ message: MQTTMessage) {
        guard case .reading(var missing, let waiter) = state else { return }
        found[message.topic.rawValue] = message.payload
        missing.remove(message.topic.rawValue)
        state = .reading(missing: missing, waiter)
        if missing.isEmpty { end() }
    }

    /// Ends, if nothing is missing.
    mutating func endIfWhole() {
        guard case .reading(let missing, _) = state, missing.isEmpty else { return }
        end()
    }

    /// Ends with what was heard.
    mutating func end() {
        guard case .reading(_, let waiter) = state else { return }
        state = .none
        waiter.resume(returning: found)
        found = [:]
    }
}
