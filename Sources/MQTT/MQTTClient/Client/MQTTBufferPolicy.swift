/// What a subscription does when messages are received faster than they are consumed.
public struct MQTTBufferPolicy: Sendable, Hashable {
    /// What happens at the limit.
    enum Overflow {
        case suspend
        case dropOldest
        case dropNewest
        case latestPerTopic
    }

    let overflow: Overflow
    let limit: Int

    /// Stop reading from the socket at this many messages, so that TCP flow control slows the broker down,
    /// and resume at half of them.
    ///
    /// This stops every subscription and acknowledgement of the connection. So it lasts for at most half a
    /// keep-alive interval: then the socket is read again, and messages beyond twice the limit are dropped
    /// and counted. A consuming loop that publishes with the same client must not await it:
    /// ``MQTTClient/MQTTClient/publishWithoutWaiting(_:)``.
    public static func suspend(_ limit: Int = 1_024) -> Self {
        Self(overflow: .suspend, limit: min(max(1, limit), .max / 2))
    }

    /// Keep the newest messages, drop and count the others. Other subscriptions are not affected.
    public static func dropOldest(_ limit: Int) -> Self {
        Self(overflow: .dropOldest, limit: max(1, limit))
    }

    /// Keep the oldest messages, drop and count the others. Other subscriptions are not affected.
    public static func dropNewest(_ limit: Int) -> Self {
        Self(overflow: .dropNewest, limit: max(1, limit))
    }

    /// Keep the latest message of each topic, drop and count those it replaces; for topics that carry a
    /// state. A topic keeps its position when its message is replaced. Beyond `topics` queued topics the
    /// oldest is dropped. Other subscriptions are not affected.
    public static func latestPerTopic(_ topics: Int = 1_024) -> Self {
        Self(overflow: .latestPerTopic, limit: max(1, topics))
    }

    /// ``suspend(_:)`` at 1,024 messages.
    public static let suspend = Self.suspend()
}
