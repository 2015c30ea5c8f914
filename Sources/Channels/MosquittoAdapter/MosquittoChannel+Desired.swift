internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
internal import MQTTClient
internal import MQTTLink

/// The last payloads on some topics, and what could not be received.
struct KeptMessages: Sendable {
    private let topics: [MQTTTopicFilter]
    private(set) var payloads: [String: [UInt8]] = [:]
    private(set) var skipped: [String: String] = [:]

    init(on topics: [MQTTTopicFilter]) { self.topics = topics }

    mutating func take(_ message: MQTTMessage) {
        guard topics.contains(where: { $0.matches(message.topic) }) else { return }
        payloads[message.topic.rawValue] = message.payload
    }

    mutating func skip(_ message: MQTTSkippedMessage) {
        guard topics.contains(where: { $0.matches(message.topic) }) else { return }
        skipped[message.topic.rawValue] = message.reason
    }

    /// Whether the broker keeps a message on a topic.
    func holds(_ topic: String) -> Bool {
        skipped[topic] != nil || payloads[topic]?.isEmpty == false
    }
}

extension MosquittoChannel {
    /// Reads the retained desired document of a device and the device's retained state (PROTOCOL section
    /// 2, "desired"). A fence shows that the broker has sent both, if there are any.
    func desiredSettings(of address: DeviceAddress) async throws(CommunicationError)
        -> DesiredReading
    {
        let (home, device) = (address.home, address.device)
        let read = try await keptMessages(
            on: .settings(of: device, in: home), of: home)
        return try DesiredReading(read, of: device, in: home)
    }

    /// What the broker keeps on some topics of a home.
    func keptMessages(
        on subscriptions: [MQTTSubscriptionRequest], of home: HomeID
    ) async throws(CommunicationError) -> KeptMessages {
        let id = ListenerID(on: link)
        keptReads[id] = KeptMessages(on: subscriptions.map(\.filter))
        let subscription = link.subscribe(to: subscriptions)
        defer {
            link.unsubscribe(subscription)
            keptReads[id] = nil
        }
        guard try await isReplayed(subscription, of: home) else { throw .notReplayed }
        return keptReads[id] ?? KeptMessages(on: [])
    }

    /// Whether the fence came back behind the retained messages of a subscription.
    private func isReplayed(
        _ subscription: MQTTLinkSubscription, of home: HomeID
    ) async throws(CommunicationError) -> Bool {
        do {
            try await link.waitUntilGranted(subscription)
            return try await passFence(of: home)
        } catch {
            throw .neverLeft(error)
        }
    }

    /// Writes the retained desired document of a device. Nobody needs to be subscribed to it.
    func keep(_ settings: DesiredSettings, for address: DeviceAddress)
        async throws(CommunicationError) -> DeliveryReceipt
    {
        let document = DesiredMessage(
            device: address.device, revision: settings.revision, at: wallClock(),
            settings: settings.members)
        guard document.payload.count <= JSONLimits.wire.bytes else {
            throw .settingsTooLarge(document.payload.count, address.device)
        }
        do {
            let reason = try await link.publish(.desired(document, home: address.home))
            let receipt = DeliveryReceipt(reason)
            return receipt == .noReceiver ? .confirmed : receipt
        } catch {
            throw CommunicationError(error)
        }
    }
}

extension DesiredReading {
    /// Parses what was received. A state that cannot be read is reported by the observation of the device.
    fileprivate init(
        _ read: KeptMessages, of device: DeviceID, in home: HomeID
    ) throws(CommunicationError) {
        let state = read.payloads[DeviceTopic.state(home, device).text]
            .flatMap { try? StateMessage(payload: $0) }
        self.init(
            kept: try DesiredSettings(read, on: .desired(home, device)),
            applied: state.flatMap { DesiredSettings(reportedIn: $0.state) })
    }
}

extension DesiredSettings {
    /// Parses the document; `nil` if there is none.
    fileprivate init?(_ read: KeptMessages, on topic: DeviceTopic) throws(CommunicationError) {
        if let reason = read.skipped[topic.text] { throw .unreadable(topic, reason) }
        guard let payload = read.payloads[topic.text], !payload.isEmpty else { return nil }
        do throws(ReceptionError) {
            let message = try ReceivedMessage(topic: topic, payload: payload)
            guard case .desired(let document) = message.content else { return nil }
            self.init(revision: document.revision, members: document.settings)
        } catch {
            throw .unreadable(topic, "\(error)")
        }
    }
}

extension CommunicationError {
    /// Reading changes nothing, whatever became of the subscription.
    fileprivate static func neverLeft(_ error: MQTTError) -> CommunicationError {
        let error = CommunicationError(error)
        return CommunicationError(
            error.code, error.message, certainty: .neverLeft, isRetriable: error.isRetriable)
    }

    fileprivate static var notReplayed: CommunicationError {
        CommunicationError(
            .timedOut, "timed out waiting for the retained messages of a device",
            certainty: .neverLeft,
            isRetriable: true)
    }

    fileprivate static func unreadable(
        _ topic: DeviceTopic, _ reason: String
    ) -> CommunicationError {
        CommunicationError(
            .protocolViolation,
            "the retained desired settings cannot be read, and are left as they are (\(reason)); publish "
                + "a correct document or an empty retained message on \(topic.text), then send the "
                + "command again", certainty: .neverLeft)
    }

    fileprivate static func settingsTooLarge(
        _ size: Int, _ device: DeviceID
    ) -> CommunicationError {
        CommunicationError(
            .cannotExpress,
            "the desired settings of \(device) would have \(size) bytes, and a payload may have at most "
                + "\(JSONLimits.wire.bytes); remove some of them", certainty: .neverLeft)
    }
}
