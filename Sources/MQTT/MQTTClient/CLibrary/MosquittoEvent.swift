/// An event that the C library reported through a callback, copied into Swift values.
enum MosquittoEvent {
    /// CONNACK with its code, whose meaning depends on the protocol version. Indirect, because it is rare and
    /// larger than all other cases.
    indirect case connectAcknowledged(code: Int32, sessionPresent: Bool, limits: MQTTBrokerLimits)
    /// The socket is closed: a small library code, or an MQTT 5 reason code from 0x80 on.
    case disconnected(code: Int32)
    /// QoS 0: written, as far as the library knows. QoS 1 and 2: acknowledged with a reason code.
    case published(packet: UInt16, reason: MQTTReasonCode)
    /// As ``published(packet:reason:)``, with the broker's properties.
    case acknowledged(packet: UInt16, answer: MQTTAcknowledgement)
    /// SUBACK with one code per filter.
    case subscribed(packet: UInt16, answer: MQTTAcknowledgement)
    /// UNSUBACK, without the codes.
    case unsubscribed(packet: UInt16, answer: MQTTAcknowledgement)
    /// An application message.
    case message(MQTTMessage)
    /// A message whose topic is invalid because it contains wildcards.
    case unusableTopic
}

/// Collects the events of callbacks until the C call has returned.
final class MosquittoInbox {
    var events = Backlog<MosquittoEvent>()
    /// The first error that the library has logged since this was cleared: the only source for the reason of
    /// a TLS failure.
    var logged: String?

    /// The events since the last call; returns how many there were.
    @discardableResult
    func drain(_ body: (MosquittoEvent) -> Void) -> Int {
        guard var batch = events.take() else { return 0 }
        for event in batch { body(event) }
        let count = batch.count
        batch.clear()
        events.recycle(batch)
        return count
    }
}
