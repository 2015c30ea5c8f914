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
/// connection leaves once there is one, unless it has expired by then. What left and was answered by no ack is sent again
/// with the same bytes, as ``UnansweredCommands`` says.
package actor ScenarioController {
    /// How far its connection has come.
    private enum Link {
        case down
        /// It subscribes, a few filters at a time.
        case subscribing
        case up
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
    private var unanswered: UnansweredCommands
    /// The timer of the next command that is sent again, and when it fires (monotonic clock).
    private var armed: (timer: MQTTTimer, due: Duration)?
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
            homes.flatMap { home in
                // What a broker retains of devices that have not come yet is no news.
                [MQTTSubscriptionRequest].home(home, [.presence]).map(\.withoutReplay)
                    + .home(home, [.ack], controller: id)
            }
            + heardHomes.flatMap { [MQTTSubscriptionRequest].home($0, [.telemetry]) }
        unanswered = UnansweredCommands(seed: .random(in: .min ... .max))
        let digits = (0..<4).map { _ in UInt8.random(in: .min ... .max) }
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
        case .connected:
            link = .subscribing
            subscribe(to: subscriptions[...])
        case .message(let message): heard(message)
        case .skipped, .closed: break
        case .disconnected:
            link = .down
            unanswered.connectionEnded()
            retained.end()
        }
    }

    /// Subscribes to a few topics at a time: a broker's queue drops what is too much at once (PROTOCOL section 1).
    private func subscribe(to topics: ArraySlice<MQTTSubscriptionRequest>) {
        guard case .subscribing = link else { return }
        let batch = topics.prefix(Self.mostFilters)
        guard !batch.isEmpty else { return subscribed() }
        connection?.subscribe(Array(batch)) { [weak self] result in
            guard case .success = result else { return }
            self?.assumeIsolated { $0.subscribe(to: topics.dropFirst(batch.count)) }
        }
    }

    private func subscribed() {
        link = .up
        for id in unanswered.connectionBegan(clock.now.wire) { transmit(id) }
    }

    private func heard(_ message: MQTTMessage) {
        guard let topic = try? DeviceTopic(message.topic.rawValue) else { return }
        switch topic {
        case .ack(_, _, id): heardAck(message.payload)
        case .telemetry(let home, let device):
            guard let sample = try? TelemetryMessage(payload: message.payload) else { return }
            gaps.note(sample.n, of: sample.boot, DeviceKey(home: home, device: device))
        case .presence(let home, let device):
            heardPresence(message.payload, of: DeviceKey(home: home, device: device))
            retained.note(message)
        case .description, .state: retained.note(message)
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
        let behind = max(now.world.since(clock.epoch) - command.at, .zero)
        let late = now.pace > 0 ? behind / now.pace : .zero
        let message = command.message(
            by: id, issuedAt: now.wire, meantAt: now.wire.advanced(by: .zero - late),
            sequence: sequence)
        meant[message.id] = now.monotonic - late
        log.note(message.id, for: command.device, meantAt: command.at)
        unanswered.add(message, to: command.device, on: command.lane)
        transmit(message.id)
    }

    private func transmit(_ id: CommandID) {
        let now = clock.now
        guard case .up = link, let connection,
            let command = unanswered.send(id, at: now.monotonic)
        else { return }
        connection.publish(
            .command(
                command.message.payload, lane: command.lane, home: command.device.home,
                device: command.device.device, controller: self.id, id: id,
                expiresAt: command.message.expiresAt, now: now.wire, attempt: command.attempt)
        ) { [weak self] result in
            guard case .success(let code) = result, code.isError else { return }
            self?.assumeIsolated { $0.unanswered.remove(id) }
        }
        arm()
    }

    /// Sets the timer to the next command that is sent again, unless it fires early enough.
    private func arm() {
        guard let next = unanswered.next else { return }
        if let armed, armed.due <= next { return }
        armed?.timer.cancel()
        let timer = eventLoop.schedule(after: max(next - clock.now.monotonic, .zero)) {
            [weak self] in
            self?.assumeIsolated { $0.sendAgain() }
        }
        armed = (timer, next)
    }

    private func sendAgain() {
        armed = nil
        let now = clock.now
        for id in unanswered.takeDue(at: now.monotonic, now.wire) { transmit(id) }
        arm()
    }

    private func heardAck(_ payload: [UInt8]) {
        guard let ack = try? AckMessage(payload: payload), let meant = meant[ack.id] else { return }
        let now = clock.now
        // What comes after the end of the world is no part of the run: assertions and report count the same.
        if clock.end.map({ now.world < $0 }) ?? true {
            log.note(ack, at: now.world.since(clock.epoch), latency: now.monotonic - meant)
        }
        // Without a number the device could make no record of the command: it is sent again.
        if ack.n > 0 { unanswered.remove(ack.id) }
    }

    private func heardPresence(_ payload: [UInt8], of device: DeviceKey) {
        guard let presence = try? PresenceMessage(payload: payload) else { return }
        switch presence.report.status {
        case .offline: unanswered.left(device)
        case .online:
            unanswered.returned(device, at: clock.now.monotonic)
            arm()
        }
    }

    // MARK: What assertions ask

    /// What became of commands so far.
    func figures(
        of devices: Set<DeviceKey>, meantWithin window: ClosedRange<Duration>
    ) -> CommandFigures {
        log.figures(
            of: devices, meantWithin: window, upTo: clock.now.world.since(clock.epoch))
    }

    /// All commands, by how they ended so far.
    var tally: CommandTally { log.tally }

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

extension MQTTSubscriptionRequest {
    /// The same without what the broker retains, where the protocol can say so.
    fileprivate var withoutReplay: MQTTSubscriptionRequest {
        var request = self
        request.retainHandling = .doNotSend
        return request
    }
}
