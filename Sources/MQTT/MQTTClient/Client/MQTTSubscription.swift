/// The messages of a subscription, in the order in which they came. One consumer at a time.
///
/// It is bounded by its ``MQTTBufferPolicy`` and survives reconnects: if the broker has lost the session,
/// the client subscribes again. It ends after ``cancel()``, when the client disconnects, and when the
/// client is released. It throws if the connection fails for good, or if the broker refuses the filters
/// later. Releasing it unsubscribes.
public struct MQTTSubscription: AsyncSequence, Sendable {
    public typealias Element = MQTTMessage
    public typealias Failure = MQTTError

    /// Ends the subscription when its last copy is released.
    private final class Lifetime: Sendable {
        let number: UInt64
        weak let client: MQTTClient?

        init(_ number: UInt64, of client: MQTTClient) {
            self.number = number
            self.client = client
        }

        deinit { end() }

        func end() {
            client?.onLoop { [number] in $0.endSubscription(number, error: nil) }
        }
    }

    private let channel: SubscriptionChannel
    private let lifetime: Lifetime
    /// The broker's answer to the first SUBSCRIBE.
    public let acknowledgement: MQTTAcknowledgement
    /// The broker's reason code for each request.
    public var reasonCodes: [MQTTReasonCode] { acknowledgement.reasonCodes }

    init(
        _ number: UInt64, of client: MQTTClient, channel: SubscriptionChannel,
        acknowledgement: MQTTAcknowledgement
    ) {
        self.channel = channel
        self.acknowledgement = acknowledgement
        self.lifetime = Lifetime(number, of: client)
    }

    /// Messages that were dropped because they were not consumed in time.
    public var droppedMessages: Int { channel.dropped }

    /// Unsubscribes without waiting for the broker; buffered messages can still be consumed.
    public func cancel() {
        lifetime.end()
    }

    /// Unsubscribes, and waits for the broker's answer; buffered messages can still be consumed. The answer
    /// is empty if no UNSUBSCRIBE was needed: the subscription had ended, or others of the client have the
    /// same filters or wider ones.
    ///
    /// The subscription also ends if this throws `connectionLost` or `notConnected`: the UNSUBSCRIBE then
    /// follows on the next connection, if the broker still has the session. After `invalidArgument` nothing
    /// has changed.
    @discardableResult
    public func unsubscribe(
        userProperties: [MQTTProperties.UserProperty] = []
    ) async throws(MQTTError) -> MQTTAcknowledgement {
        guard let client = lifetime.client else { return MQTTAcknowledgement(reasonCodes: []) }
        return try await client.unsubscribe(lifetime.number, userProperties: userProperties)
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: self)
    }

    /// Returns one message after the other; nil after the end or if the task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        /// Keeps the subscription alive.
        let subscription: MQTTSubscription
        private var consumer: SubscriptionConsumer

        init(subscription: MQTTSubscription) {
            self.subscription = subscription
            consumer = SubscriptionConsumer(of: subscription.channel)
        }

        /// A copy, whose consumer may still be waiting, has kept the other one.
        private mutating func ownConsumer() -> SubscriptionConsumer {
            if !isKnownUniquelyReferenced(&consumer) {
                consumer = SubscriptionConsumer(of: subscription.channel)
            }
            return consumer
        }

        public mutating func next() async throws(MQTTError) -> MQTTMessage? {
            try await ownConsumer().next().get()
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(MQTTError) -> MQTTMessage? {
            try await ownConsumer().next(isolation: actor).get()
        }
    }
}
