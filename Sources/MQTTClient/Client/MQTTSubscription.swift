/// The messages of a subscription, in the order in which they came. One consumer at a time.
///
/// It is bounded by its ``MQTTBufferPolicy`` and survives reconnects: where the broker has lost the
/// session, the filters are subscribed again. It ends when ``cancel()`` was called or the client
/// disconnects, and throws when the connection failed for good or the broker refuses the filters later.
/// Letting go of it unsubscribes.
public struct MQTTSubscription: AsyncSequence, Sendable {
    public typealias Element = MQTTMessage
    public typealias Failure = MQTTError

    /// Ends the subscription with its last copy.
    private final class Lifetime: Sendable {
        let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    private let channel: SubscriptionChannel
    private let lifetime: Lifetime
    /// What the broker answered to the first SUBSCRIBE.
    public let acknowledgement: MQTTAcknowledgement
    /// What the broker granted, per request.
    public var reasonCodes: [MQTTReasonCode] { acknowledgement.reasonCodes }

    init(
        channel: SubscriptionChannel, acknowledgement: MQTTAcknowledgement,
        end: @escaping @Sendable () -> Void
    ) {
        self.channel = channel
        self.acknowledgement = acknowledgement
        self.lifetime = Lifetime(end)
    }

    /// Messages that were dropped because they were not consumed in time.
    public var droppedMessages: Int { channel.dropped }

    /// Unsubscribes; what is buffered can still be consumed.
    public func cancel() {
        lifetime.end()
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: self)
    }

    /// Takes one message after the other; nil after the end or when the task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: MQTTSubscription

        public mutating func next() async throws(MQTTError) -> MQTTMessage? {
            try await subscription.channel.next().get()
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(MQTTError) -> MQTTMessage? {
            try await subscription.channel.next(isolation: actor).get()
        }
    }
}
