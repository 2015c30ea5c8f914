import DeviceDomain
import DeviceMessages
import DeviceTopics
import MQTTClient
import TestSupport

/// A controller made of a few lines: hears a home and sends it commands.
final class Listener {
    static let controller = "end-to-end"

    private let client: MQTTClient
    private let url: String
    private var messages: MQTTSubscription.Iterator

    /// Connects to a broker and subscribes to the filters, while `body` runs.
    @discardableResult
    static func with<R>(
        _ url: String, hearing filters: [String] = ["homeport/v1/+/+/#"],
        version: MQTTProtocolVersion = .v5, body: (Listener) async throws -> R
    ) async throws -> R {
        let loop = try MQTTEventLoop(label: "listener")
        let configuration = MQTTConfiguration(
            broker: try MQTTBrokerAddress(url: url),
            clientID: try MQTTClientID("end-to-end-\(UInt32.random(in: 0...(.max)))"),
            version: version)
        do {
            let value = try await MQTTClient.withConnection(
                configuration: configuration, eventLoop: loop
            ) { client in
                let requests = try filters.map {
                    MQTTSubscriptionRequest(try MQTTTopicFilter($0), qos: .atLeastOnce)
                }
                let subscription = try await client.subscribe(to: requests)
                return try await body(Listener(client, url, subscription))
            }
            await loop.shutdown()
            return value
        } catch {
            await loop.shutdown()
            throw error
        }
    }

    private init(_ client: MQTTClient, _ url: String, _ subscription: MQTTSubscription) {
        self.client = client
        self.url = url
        messages = subscription.makeAsyncIterator()
    }

    /// Waits for a message of the protocol that `wanted` makes something of.
    func hear<R>(_ wanted: (ReceivedMessage) -> R?) async throws -> R {
        while let message = try await messages.next(isolation: nil) {
            let received = try ReceivedMessage(
                topic: message.topic.rawValue, payload: message.payload)
            if let value = wanted(received) { return value }
        }
        throw TestSupportError("the messages ended")
    }

    /// Waits for the presence of a device, or of any.
    @discardableResult
    func hearPresence(
        of device: String? = nil, _ status: PresenceReport.Status
    ) async throws -> PresenceMessage {
        try await hear { message -> PresenceMessage? in
            guard case .presence(let presence) = message.content,
                presence.report.status == status, [nil, presence.device.text].contains(device)
            else { return nil }
            return presence
        }
    }

    /// Waits for a command to a device.
    func hearCommand() async throws {
        _ = try await hear { if case .command = $0.content { true } else { nil } }
    }

    /// Waits for an ack of a command.
    func hearAck(
        of id: CommandID, where isWanted: (AckMessage) -> Bool = { _ in true }
    ) async throws -> AckMessage {
        try await hear { message -> AckMessage? in
            guard case .ack(let ack, _) = message.content, ack.id == id, isWanted(ack) else {
                return nil
            }
            return ack
        }
    }

    /// Sends the bytes of a command.
    /// - Parameter responseTopic: MQTT 5 only.
    func send(
        _ payload: [UInt8], to device: String, in home: String = "home-1",
        urgently isUrgent: Bool = false, retain: Bool = false, responseTopic: String? = nil
    ) async throws {
        var message = try Self.message(payload, to: device, in: home, urgently: isUrgent)
        message.retain = retain
        if let responseTopic {
            message.properties.responseTopic = try MQTTTopic(responseTopic)
        }
        try await client.publish(message)
    }

    /// Sends the bytes of two commands without waiting in between, the second one on the urgent lane.
    func send(
        _ payload: [UInt8], thenUrgently urgent: [UInt8], to device: String
    ) async throws {
        _ = try await client.publish(contentsOf: [
            try Self.message(payload, to: device, urgently: false),
            try Self.message(urgent, to: device, urgently: true),
        ])
    }

    private static func message(
        _ payload: [UInt8], to device: String, in home: String = "home-1", urgently isUrgent: Bool
    ) throws -> MQTTMessage {
        let lane = isUrgent ? "command/urgent" : "command"
        return MQTTMessage(
            topic: try MQTTTopic("homeport/v1/\(home)/\(device)/\(lane)"), payload: payload,
            qos: .atLeastOnce)
    }

    /// Collects the acks of every command until the final one of this command has come.
    func hearAcks(untilTheEndOf last: CommandID) async throws -> [AckMessage] {
        var acks: [AckMessage] = []
        return try await hear { message in
            guard case .ack(let ack, _) = message.content else { return nil }
            acks.append(ack)
            return ack.id == last && ack.isFinal ? acks : nil
        }
    }
}
