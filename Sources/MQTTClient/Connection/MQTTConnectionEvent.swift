/// What an ``MQTTConnection`` tells its handler, on the loop, never from inside a call of the owner.
public enum MQTTConnectionEvent: Sendable {
    /// The broker accepted the connection.
    indirect case connected(MQTTConnectionInfo)
    /// A message came. Its PUBACK is written after the handler has returned.
    case message(MQTTMessage)
    /// Over MQTT 3.1.1 a message came that is larger than ``MQTTConfiguration/maximumPacketSize``. It
    /// was dropped; the connection stands.
    case skipped(MQTTSkippedMessage)
    /// The connection or the attempt failed. Without `retryIn` there will be no other attempt.
    case disconnected(MQTTError, retryIn: Duration?)
    /// Closed or aborted by the owner; nothing follows.
    case closed
}

/// A message that was dropped because it is too large, without its payload.
public struct MQTTSkippedMessage: Sendable, Hashable {
    /// Where it was published.
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

/// What a close with draining achieved.
public struct MQTTDrainReport: Sendable, Equatable {
    /// Messages acknowledged, or at QoS 0 written, while draining.
    public var delivered: Int
    /// Messages given up: no acknowledgement came before the deadline, or the connection broke.
    public var undelivered: Int
    /// Those among ``undelivered`` that never left, oldest first: the broker has none of them, so they can
    /// be kept and published later. The others the broker may have.
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
