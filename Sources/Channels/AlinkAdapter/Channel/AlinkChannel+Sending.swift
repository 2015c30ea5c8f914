internal import Alink
package import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import MQTTClient
internal import MQTTLink

extension AlinkChannel {
    /// How long after its expiry a command may still be found done.
    private static let patience = Duration.seconds(600)

    /// The payload for an intent, with an id that it keeps for good.
    package nonisolated func payload(
        of intent: CommandIntent
    ) throws(CommunicationError) -> [UInt8] {
        try directory.payload(of: intent)
    }

    /// Publishes a command. From then on replies and posts of its device are evidence.
    /// - Throws: `unreachable`, `neverLeft`, while the device is offline, or nothing was heard of it since the
    ///   connection was made; `cannotExpress` if it takes no such command any more.
    package func send(_ command: PreparedCommand) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        let intent = command.intent
        let call = try call(of: command)
        guard let device = model.devices[intent.device] else {
            throw .cannotExpress("nothing was heard of \(intent.device) yet")
        }
        let name = device.name
        guard device.mayBeThere else {
            throw .away(
                (device.isHeard
                    ? "\(name) is offline, as the broker reports"
                    : "nothing was heard of \(name) since the broker was connected to")
                    + ": check its power and network")
        }
        calls.begin(call)
        forget(call, after: intent.expiresAt.since(intent.issuedAt) + Self.patience)
        do throws(MQTTError) {
            let topic = try MQTTTopic(AlinkTopic(name, call.content).text)
            let receipt = DeliveryReceipt(
                try await link.publish(MQTTMessage(topic: topic, payload: command.payload)))
            switch receipt {
            // The plugin delivers to devices that never subscribe.
            case .confirmed, .confirmedWithoutEvidence, .noReceiver: return .confirmed
            case .refused:
                calls.end(call)
                return receipt
            }
        } catch {
            if error.provesNothingLeft { calls.end(call) }
            throw CommunicationError(error)
        }
    }

    /// What the bytes of a command ask for, as its device is described now.
    private func call(of command: PreparedCommand) throws(CommunicationError) -> OutstandingCall {
        let intent = command.intent
        let request: AlinkRequest
        do {
            request = try AlinkRequest(payload: command.payload)
        } catch {
            throw .cannotExpress("the stored bytes of \(intent.id) cannot be read: \(error)")
        }
        let thing = try directory.command(of: intent)
        guard AlinkTopic.Content(commandMethod: request.method) == thing.content else {
            throw .cannotExpress(
                "the model of \(intent.device) has changed since \(intent.name.rawValue) was stored"
            )
        }
        return OutstandingCall(
            command: intent.id, device: intent.device, messageID: request.id, thing: thing,
            expected: thing.effect.flatMap { intent.arguments[$0.identifier] },
            issuedAt: intent.issuedAt)
    }

    private func forget(_ call: OutstandingCall, after time: Duration) {
        eventLoop.schedule(after: time) { [weak self] in
            self?.assumeIsolated { $0.calls.end(call) }
        }
    }
}
