internal import Connectivity
internal import DeviceDomain
internal import DeviceTopics
internal import KillPoints
internal import MQTTClient
internal import MQTTLink

extension MosquittoChannel {
    /// Sends a command once and translates the broker's answer.
    func send(
        _ command: PreparedCommand, attempt: Int
    ) async throws(CommunicationError) -> DeliveryReceipt {
        do {
            KillPoint.beforeSending.pass()
            let reason = try await link.publish(message(command, attempt: attempt))
            KillPoint.confirmed.pass()
            return DeliveryReceipt(reason)
        } catch {
            throw CommunicationError(error, losing: command.payload.count, over: configuration)
        }
    }

    /// The MQTT message for one attempt; its expiry interval is the time that is left now.
    func message(_ command: PreparedCommand, attempt: Int) -> MQTTMessage {
        let intent = command.intent
        return .command(
            command.payload, lane: intent.lane, home: intent.home, device: intent.device,
            controller: intent.controller, id: intent.id, expiresAt: intent.expiresAt,
            now: wallClock(), attempt: attempt)
    }
}

extension CommunicationError {
    /// The usual size of a packet, bytes, that every broker takes.
    private static let harmlessSize = 1_000

    /// A broker ends the connection at a packet that is larger than it takes. MQTT 3.1.1 has no word for that.
    fileprivate init(
        _ error: MQTTError, losing size: Int, over configuration: MosquittoChannelConfiguration
    ) {
        self.init(error)
        guard code == .linkLost, configuration.version == .v3_1_1, size >= Self.harmlessSize else {
            return
        }
        self = CommunicationError(
            code,
            "\(message); the broker may take smaller packets only than the \(size) bytes of this message: send "
                + "less at once, or raise that limit (mosquitto: max_packet_size)",
            certainty: certainty, isRetriable: isRetriable)
    }
}
