/// The messages of a subscription, in the order in which they came. One consumer at a time.
///
/// It is bounded by its ``MQTTBufferPolicy`` and survives reconnects: where the broker has lost the
/// session, the filters are subscribed again. It ends when ``cancel()`` was called, when the client
/// disconnects, and when nobody holds the client any more; it throws when the connection failed for good
/// or the broker refuses the filters later. Letting go of it unsubscribes.
public struct MQTTSubscription: AsyncSequence, Sendable {
    public typealias Element = MQTTMessage
    public typealias Failure = MQTTError

    /// Ends the subscription with its last copy.
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
    /// What the broker answered to the first SUBSCRIBE.
    public let acknowledgement: MQTTAcknowledgement
    /// What the broker granted, per request.
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

    /// Unsubscribes without waiting for the broker; what is buffered can still be consumed.
    public func cancel() {
        lifetime.end()
    }

    /// Unsubscribes, and waits for the broker's answer; what is buffered can still be consumed. The answer
    /// is empty where there was nothing to ask for: the subscription had ended, or the client's others
    /// have the same filters.
    ///
    /// The subscription ends also where this throws `connectionLost` or `notConnected`: the broker is told
    /// on the next connection, if it still has the session. With `invalidArgument` nothing has changed.
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

    /// Takes one message after the other; nil after the end or when the task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        /// Keeps it alive.
        let subscription: MQTTSubscription
        private var seat: ConsumerSeat

        init(subscription: MQTTSubscription) {
            self.subscription = subscription
            seat = ConsumerSeat(at: subscription.channel)
        }

        /// A copy, in which somebody else may wait still, has kept the seat.
        private mutating func sitDown() -> ConsumerSeat {
            if !isKnownUniquelyReferenced(&seat) { seat = ConsumerSeat(at: subscription.channel) }
            return seat
        }

        public mutating func next() async throws(MQTTError) -> MQTTMessage? {
            try await sitDown().next().get()
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(MQTTError) -> MQTTMessage? {
            try await sitDown().next(isolation: actor).get()
        }
    }
}
