internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
internal import Logging
internal import MQTTClient

extension MosquittoChannel {
    /// Takes in what came: reads it strictly, drops and counts what is wrong, routes the rest.
    func received(_ message: MQTTMessage) {
        do {
            route(
                try ReceivedMessage(topic: message.topic.rawValue, payload: message.payload))
        } catch {
            count(error)
        }
    }

    private func route(_ message: ReceivedMessage) {
        switch message.content {
        case .description(let content): deliver(.description(content), of: message)
        case .presence(let content): deliver(.presence(content), of: message)
        case .state(let content): deliver(.state(content), of: message)
        case .telemetry(let content): deliver(.telemetry(content), of: message)
        case .event(let content): deliver(.event(content), of: message)
        case .ack(let content, _): deliver(.ack(content), of: message)
        case .fence(let fence): fences[fence.nonce]?.resolve(true)
        case .command, .desired, .hello: counters.foreignTopics += 1
        }
    }

    private func deliver(_ content: IncomingMessage.Content, of message: ReceivedMessage) {
        guard let device = message.device else { return }
        let incoming = IncomingMessage(home: message.home, device: device, content: content)
        remember(incoming)
        let address = DeviceAddress(home: message.home, device: device)
        for source in (conversations[address] ?? [:]).values { source.send(incoming) }
        for observer in observers.values where observer.wants(address) {
            observer.source.send(.message(incoming))
        }
    }

    /// Keeps what a later conversation or survey will ask for.
    private func remember(_ message: IncomingMessage) {
        switch message.content {
        case .description, .presence, .state, .telemetry:
            homes[message.home]?.survey.apply(message)
        case .event, .ack: break
        }
    }

    private func count(_ error: ReceptionError) {
        logger.debug("message dropped", metadata: [LogKey.error: "\(error)"])
        switch error {
        case .topic: counters.foreignTopics += 1
        case .empty: counters.emptyMessages += 1
        case .payload: counters.malformedPayloads += 1
        case .otherDevice, .otherEvent: counters.misaddressedMessages += 1
        }
    }
}

extension Observer {
    /// Whether messages of a device are watched.
    func wants(_ address: DeviceAddress) -> Bool {
        home == address.home && (devices.isEmpty || devices.contains(address.device))
    }
}
