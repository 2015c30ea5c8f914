import Homeport

/// Owns the state machine of a bridge and carries out its actions, one after the other.
actor BridgeWorker {
    private let home: Home
    private let client: MQTTClient
    private let report: @Sendable (HomeAssistantNotice) -> Void
    private var machine: BridgeStateMachine
    /// Commands that wait to be sent, at most ``HomeAssistantBridge/waitingCommands``.
    private let pending: AsyncStream<PendingCommand>
    private let submit: AsyncStream<PendingCommand>.Continuation

    /// A command that the machine asked for.
    private struct PendingCommand: Sendable {
        let command: CommandName
        let arguments: JSONObject
        let device: DeviceID
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
        case .description, .presence, .doubt, .state, .telemetry: await update(change.device)
        case .event, .evidence, .problem: break
        }
    }

    /// Takes what the home knows of a device now.
    func update(_ device: DeviceID) async {
        guard let known = home.latest(device) else { return }
        await apply { $0.changed(device, known.profile, known.report) }
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
                enqueue(
                    PendingCommand(command: command, arguments: arguments, device: device))
            }
        }
        // Without a connection: behind the next one everything is published again.
        if !messages.isEmpty { _ = try? await client.publish(contentsOf: messages) }
    }

    private func enqueue(_ order: PendingCommand) {
        switch submit.yield(order) {
        case .enqueued, .terminated: break
        case .dropped: report(.refused(.tooManyCommands(order.device)))
        @unknown default: break
        }
    }

    // MARK: Commands

    /// Sends commands in the order in which they came, and waits for the outcome of each.
    func followCommands() async -> HomeAssistantError? {
        await withDiscardingTaskGroup { group in
            for await order in pending {
                guard let receipt = await send(order) else { continue }
                group.addTask { await self.follow(receipt, of: order.device) }
            }
        }
        return nil
    }

    private func send(_ order: PendingCommand) async -> CommandReceipt? {
        do throws(HomeError) {
            return try await home.send(
                order.command, order.arguments, to: order.device,
                options: CommandOptions(cause: "home-assistant"))
        } catch {
            if error.code != .cancelled {
                report(.notSent(order.device, order.command, error))
            }
            await apply { $0.commandEnded(of: order.device) }
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
