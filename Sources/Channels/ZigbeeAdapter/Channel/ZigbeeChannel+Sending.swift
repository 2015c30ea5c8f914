package import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import Logging
internal import MQTTClient
internal import MQTTLink

extension ZigbeeChannel {
    /// The JSON for `/set`. It contains no topic, so a device that is renamed before the command is sent gets it
    /// under its new name.
    package nonisolated func payload(
        of intent: CommandIntent
    ) throws(CommunicationError) -> [UInt8] {
        try directory.payload(of: intent)
    }

    /// Publishes a command under the device's present name. When the broker has it, its effect is
    /// read back. Where the device cannot be queried for it, the receipt says so; what the bridge publishes
    /// of it is reported all the same.
    /// - Throws: `unreachable`, `neverLeft`, while the bridge or the device is offline;
    ///   `cannotExpress` if the device takes no such command at present.
    package func send(_ command: PreparedCommand) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        let intent = command.intent
        let message = MQTTMessage(
            topic: try begin(intent), payload: command.payload, qos: .atLeastOnce)
        let receipt: DeliveryReceipt
        do throws(MQTTError) {
            receipt = DeliveryReceipt(try await link.publish(message))
        } catch {
            outstanding.end(intent.id)
            throw CommunicationError(error)
        }
        guard receipt == .confirmed else {
            outstanding.end(intent.id)
            return receipt
        }
        waitFurther(intent.id)
        return outstanding.canProve(intent.id) ? .confirmed : .confirmedWithoutEvidence
    }

    /// Starts to watch for the result of a command, and returns the topic to publish it to.
    private func begin(_ intent: CommandIntent) throws(CommunicationError) -> MQTTTopic {
        if model.status == .offline, let fault { throw .away(fault.message) }
        guard intent.device != configuration.bridge else {
            let topic = try topic("bridge/request/permit_join")
            outstanding.beginRequest(intent.id, of: intent.device)
            return topic
        }
        if !model.isListed, let fault { throw .away(fault.message) }
        let command = try directory.command(of: intent)
        let listing = try directory.listing(of: intent.device)
        let name = listing.name
        if model.devices[intent.device]?.availability == .offline {
            throw .away("\(name) is offline, as zigbee2mqtt reports: check its power and its range")
        }
        let topic = try topic(name.topic("set"))
        outstanding.begin(
            command, intent.id, arguments: intent.arguments, device: intent.device, name: name,
            lasting: intent.expiresAt.since(intent.issuedAt),
            isSleepy: listing.profile.capabilities.contains(.batteryPowered))
        return topic
    }

    private func topic(_ suffix: String) throws(CommunicationError) -> MQTTTopic {
        do {
            return try configuration.base.topic(suffix)
        } catch {
            throw CommunicationError(error)
        }
    }

    // MARK: Reading back

    private func waitFurther(_ id: CommandID) {
        guard let wait = outstanding.wait(of: id) else { return }
        eventLoop.schedule(after: wait) { [weak self] in
            self?.assumeIsolated { channel in
                channel.run(channel.outstanding.waited(id))
                channel.waitFurther(id)
            }
        }
    }

    /// Executes actions of the outstanding commands.
    func run(_ actions: [OutstandingCommands.Action]) {
        for action in actions {
            switch action {
            case .ask(let id, let device, let question): ask(id, device, question)
            case .tell(let evidence): listeners.deliver(evidence)
            }
        }
    }

    private func ask(_ id: CommandID, _ device: DeviceID, _ question: JSONObject) {
        guard let name = model.devices[device]?.listing.name,
            let topic = try? configuration.base.topic(name.topic("get"))
        else { return outstanding.end(id) }
        link.publishWithoutWaiting(
            MQTTMessage(topic: topic, payload: JSONWriter.write(.object(question))))
    }
}
