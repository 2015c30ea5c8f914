internal import Connectivity
internal import DeviceDomain
internal import DeviceTopics
internal import MQTTClient
internal import MQTTLink

extension MosquittoChannel {
    /// Publishes one send of a command and translates the broker's word on it.
    func send(
        _ command: PreparedCommand, attempt: Int
    ) async throws(CommunicationError) -> DeliveryReceipt {
        do {
            return DeliveryReceipt(try await link.publish(try wire(command, attempt: attempt)))
        } catch {
            throw CommunicationError(error)
        }
    }

    /// A send as the client takes it: the time left is computed anew.
    func wire(_ command: PreparedCommand, attempt: Int) throws(MQTTError) -> MQTTMessage {
        let intent = command.intent
        return try MQTTMessage(
            .command(
                command.payload, lane: intent.lane, home: intent.home, device: intent.device,
                controller: intent.controller, id: intent.id, expiresAt: intent.expiresAt,
                now: wallClock(), attempt: attempt))
    }
}
