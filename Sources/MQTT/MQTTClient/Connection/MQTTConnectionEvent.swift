/// An event of an ``MQTTConnection``. The handler gets it on the loop, never from inside a call of the
/// owner.
public enum MQTTConnectionEvent: Sendable {
    /// The broker accepted the connection.
    indirect case connected(MQTTConnectionInfo)
    /// A message was received. Its PUBACK is written after the handler has returned.
    case message(MQTTMessage)
    /// Over MQTT 3.1.1: a message larger than ``MQTTConfiguration/maximumPacketSize`` was received and
    /// dropped. The connection stays.
    case skipped(MQTTSkippedMessage)
    /// The connection or the attempt failed. If `retryIn` is nil, there will be no other attempt.
    case disconnected(MQTTError, retryIn: Duration?)
    /// Closed or aborted by the owner; no event follows.
    case closed
}

/// A message that was dropped because it is too large, without its payload.
public struct MQTTSkippedMessage: Sendable, Hashable {
    /// The topic that it was published to.
    public let topic: MQTTTopic
    /// The size of its packet, bytes.
    public let size: Int
    /// The ``MQTTConfiguration/maximumPacketSize`` that it exceeds, bytes.
    public let limit: Int

    public init(topic: MQTTTopic, size: Int, limit: Int) {
        self.topic = topic
        self.size = size
        self.limit = limit
    }
}

extension MQTTSkippedMessage {
    /// Nil if the message does not exceed the limit, bytes; 0 is none.
    ///
    /// The library lets packets of any size through, and MQTT 3.1.1 cannot announce a limit: there a broker
    /// that sends a large message does nothing wrong, and would send it again after a reconnect.
    init?(_ message: MQTTMessage, over limit: UInt32, _ version: MQTTProtocolVersion) {
        let size = MQTTPacketSize.publish(message, version: version)
        guard limit > 0, size > Int(limit) else { return nil }
        self.init(topic: message.topic, size: size, limit: Int(limit))
    }
}

/// The result of a close with draining.
public struct MQTTDrainReport: Sendable, Equatable {
    /// Messages acknowledged, or at QoS 0 written, while draining.
    public var delivered: Int
    /// Messages without acknowledgement when the deadline passed or the connection broke.
    public var undelivered: Int
    /// The messages among ``undelivered`` that were never sent, oldest first. The broker has none of them,
    /// so they can be published later. It may have the others.
    public var unsent: [MQTTMessage]
    /// Whether DISCONNECT was written, so that the broker does not publish the will.
    public var isDisconnectSent: Bool

    public init(
        delivered: Int = 0, undelivered: Int = 0, unsent: [MQTTMessage] = [],
        isDisconnectSent: Bool = false
    ) {
        self.delivered = delivered
        self.undelivered = undelivered
        self.unsent = unsent
        self.isDisconnectSent = isDisconnectSent
    }
}
