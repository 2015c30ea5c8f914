internal import Connectivity
internal import DeviceDomain
internal import DeviceTopics
internal import MQTTClient

extension MosquittoChannel {
    /// Publishes one message to a device and translates the broker's word on it.
    func send(
        _ message: OutgoingMessage, to address: DeviceAddress
    ) async throws(CommunicationError) -> DeliveryReceipt {
        DeliveryReceipt(try await publish(wire(message, to: address)))
    }

    private func wire(_ message: OutgoingMessage, to address: DeviceAddress) -> WireMessage {
        switch message {
        case .hello(let hello): .hello(hello, home: address.home)
        case .command(let command):
            .command(
                command.payload, lane: command.lane, home: address.home, device: address.device,
                controller: command.controller, id: command.id, expiresAt: command.expiresAt,
                now: wallClock(), attempt: command.attempt)
        }
    }

    /// Publishes a message and waits for the broker's reason, at QoS 0 for the socket.
    func publish(_ wire: WireMessage) async throws(CommunicationError) -> MQTTReasonCode {
        guard let connection, connection.isConnected else { throw .noConnection }
        let slot = AnswerSlot<Result<MQTTReasonCode, CommunicationError>>()
        do {
            connection.publish(try MQTTMessage(wire)) { result in
                slot.resolve(result.mapError(CommunicationError.init))
            }
        } catch {
            throw CommunicationError(error)
        }
        return try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }
}
