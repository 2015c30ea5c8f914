import Homeport

/// Owns the state machine of a bridge and carries out its actions, one after the other.
actor BridgeWorker {
    private let home: Home
    private let client: MQTTClient
    private let report: @Sendable (HomeAssistantNotice) -> Void
    private var machine: BridgeStateMachine
    /// What waits to be done, at most ``HomeAssistantBridge/waitingCommands``.
    private let pending: AsyncStream<PendingWork>
    private let submit: AsyncStream<PendingWork>.Continuation

    /// How long Home Assistant may take to remove an entity.
    private static let removalTime = Duration.seconds(5)

    /// What takes longer than a publish.
    private enum PendingWork: Sendable {
        /// A command of Home Assistant.
        case command(CommandName, JSONObject, DeviceID)
        /// The states of a device that was removed.
        case tidy(DeviceID)
    }

    init(
        _ home: Home, _ client: MQTTClient, _ topics: BridgeTopics,
        _ report: @escaping @Sendable (HomeAssistantNotice) -> Void
    ) {
        self.home = home
        self.client = client
        self.report = report
        machine = BridgeStateMachine(topics)
        (pending, submit) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(HomeAssistantBridge.waitingCommands))
    }

    /// Gives an event to the machine and carries out what it asks for.
    func apply(_ event: @Sendable (inout BridgeStateMachine) -> [BridgeStateMachine.Action]) async {
        await carryOut(event(&machine))
    }

    /// Takes a change of the home.
    func update(_ change: DeviceChange) async {
        switch change.content {
        case .removed: await apply { $0.removed(change.device) }
        case .description, .presence, .doubt, .label, .state, .telemetry:
            await update(change.device)
        case .event, .evidence, .problem, .channel: break
        }
    }

    /// Takes what the home knows of a device now.
    func update(_ device: DeviceID) async {
        guard let known = home.latest(device) else { return }
        await apply { $0.changed(device, known.profile, known.report, known.label) }
    }

    private func carryOut(_ actions: [BridgeStateMachine.Action]) async {
        var messages: [MQTTMessage] = []
        for action in actions {
            switch action {
            case .publish(let document):
                guard let topic = try? MQTTTopic(document.topic) else { continue }
                messages.append(
                    MQTTMessage(
                        topic: topic, payload: document.payload, qos: .atLeastOnce, retain: true))
            case .report(let error): report(.refused(error))
            case .send(let command, let arguments, let device):
                if !enqueue(.command(command, arguments, device)) {
                    report(.refused(.tooManyCommands(device)))
                }
            // Where there is no room the next server removes them.
            case .tidyLater(let device): _ = enqueue(.tidy(device))
            }
        }
        // Without a connection: behind the next one everything is published again.
        if !messages.isEmpty { _ = try? await client.publish(contentsOf: messages) }
    }

    /// - Returns: whether there was room.
    private func enqueue(_ work: PendingWork) -> Bool {
        if case .enqueued = submit.yield(work) { true } else { false }
    }

    // MARK: Commands

    /// Sends commands in the order in which they came, and waits for the outcome of each.
    func work() async -> HomeAssistantError? {
        await withDiscardingTaskGroup { group in
            for await work in pending {
                switch work {
                case .command(let command, let arguments, let device):
                    guard let receipt = await send(command, arguments, device) else { continue }
                    group.addTask { await self.follow(receipt, of: device) }
                case .tidy(let device): group.addTask { await self.tidy(device) }
                }
            }
        }
        return nil
    }

    private func tidy(_ device: DeviceID) async {
        // A cancelled sleep leaves it to the next server.
        do { try await Task.sleep(for: Self.removalTime) } catch { return }
        await apply { $0.tidied(device) }
    }

    private func send(
        _ command: CommandName, _ arguments: JSONObject, _ device: DeviceID
    ) async -> CommandReceipt? {
        do throws(HomeError) {
            return try await home.send(
                command, arguments, to: device, options: CommandOptions(cause: "home-assistant"))
        } catch {
            if error.code != .cancelled { report(.notSent(device, command, error)) }
            await apply { $0.commandEnded(of: device) }
            return nil
        }
    }

    private func follow(_ receipt: CommandReceipt, of device: DeviceID) async {
        // A wait that ends with the bridge has nobody to tell.
        guard let result = try? await receipt.outcome(.final) else { return }
        if result.record.state != .succeeded { report(.ended(result.record)) }
        // Home Assistant may show what was asked for: the true state takes its place.
        await apply { $0.commandEnded(of: device) }
    }
}

extension HomeAssistantError {
    fileprivate static func tooManyCommands(_ device: DeviceID) -> HomeAssistantError {
        HomeAssistantError(
            .tooManyCommands, "a command for \(device) was dropped: too many are waiting to be sent"
        )
    }
}
