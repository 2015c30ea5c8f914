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
            throw CommunicationError(error)
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
