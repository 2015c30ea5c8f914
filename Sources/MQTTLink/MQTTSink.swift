public import MQTTClient

/// A receiver of messages. It gets each message once, even if several of its filters match.
public final class MQTTSink: Sendable {
    let deliver: @Sendable (MQTTMessage) -> Void
    let skip: @Sendable (MQTTSkippedMessage) -> Void

    /// - Parameters:
    ///   - skip: is called for each message that was dropped because it is too large. Both closures are
    ///     called on the link's event loop and must return at once.
    ///   - deliver: is called for each message.
    public init(
        skip: @escaping @Sendable (MQTTSkippedMessage) -> Void = { _ in },
        deliver: @escaping @Sendable (MQTTMessage) -> Void
    ) {
        self.skip = skip
        self.deliver = deliver
    }
}

extension MQTTSkippedMessage {
    /// A sentence for the user.
    package var reason: String {
        "skipped a message of \(size) bytes on \(topic): the limit is \(limit); publish a smaller one "
            + "there"
    }
}

/// One subscription of an ``MQTTLink`` to some filters. It survives reconnects.
public struct MQTTLinkSubscription: Hashable, Sendable {
    let number: Int
}
