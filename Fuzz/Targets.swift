import DeviceMessages
import DeviceTopics

/// Feeds bytes to the reader of one payload or of topics; the first byte chooses, the rest is
/// what came from the network.
///
/// What must hold: nothing crashes, and what is read can be written and read again as the same.
func fuzz(_ input: [UInt8]) {
    guard let choice = input.first else { return }
    let payload = Array(input.dropFirst())
    let index = Int(choice) % (messages.count + 2)
    switch index {
    case messages.count: fuzzJSON(payload)
    case messages.count + 1: fuzzTopic(payload)
    default: messages[index](payload)
    }
}

private let messages: [@Sendable ([UInt8]) -> Void] = [
    fuzzCommand, roundTrip(AckMessage.self), roundTrip(StateMessage.self),
    roundTrip(TelemetryMessage.self), roundTrip(PresenceMessage.self),
    roundTrip(DescriptionMessage.self), roundTrip(EventMessage.self),
    roundTrip(DesiredMessage.self), roundTrip(HelloMessage.self), roundTrip(FenceMessage.self),
    roundTrip(ClaimOffer.self), roundTrip(ClaimRequest.self), roundTrip(ClaimGrant.self),
    roundTrip(ClaimReceipt.self),
]

private func roundTrip<Message: PayloadMessage>(
    _: Message.Type
) -> @Sendable ([UInt8]) -> Void {
    { payload in
        guard let message = try? Message(payload: payload) else { return }
        let written = message.payload
        guard written.count <= JSONLimits.wire.bytes else { return }
        let read = try? Message(payload: written)
        precondition(read == message, "a message does not survive its own bytes")
        precondition(read?.payload == written, "the canonical bytes are not stable")
    }
}

@Sendable private func fuzzCommand(_ payload: [UInt8]) {
    if case .refused(let refusal) = CommandMessage.read(payload) {
        precondition(refusal.code == .badRequest || refusal.code == .unsupportedVersion)
        precondition(!refusal.message.isEmpty)
    }
    roundTrip(CommandMessage.self)(payload)
}

private func fuzzJSON(_ bytes: [UInt8]) {
    guard let value = try? JSONReader.read(bytes) else { return }
    let written = JSONWriter.write(value)
    let limits = JSONLimits(bytes: .max, depth: JSONLimits.wire.depth)
    precondition((try? JSONReader.read(written, limits: limits)) == value)
}

private func fuzzTopic(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let topic = try? DeviceTopic(text) else { return }
    precondition(topic.text == text, "a topic does not survive its own text")
}
