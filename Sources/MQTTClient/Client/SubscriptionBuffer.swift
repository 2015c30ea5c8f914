private import DequeModule

/// The messages between the loop and the one consumer of a subscription, as a value: each event returns
/// what the owner must do, outside its lock.
struct SubscriptionBuffer<Consumer> {
    /// What the producer must do.
    enum PushAction {
        /// Nothing.
        case none
        /// Give the message to the waiting consumer.
        case deliver(Consumer)
        /// The limit is reached: stop reading the socket.
        case pause
    }

    /// What the consumer must do.
    enum PopAction {
        /// Take the message. With `resume` the socket may be read again.
        case take(MQTTMessage, resume: Bool)
        /// Wait; the consumer is kept.
        case wait
        /// There will be no more.
        case end(MQTTError?)
        /// Somebody else waits already.
        case refuse
    }

    private enum State: Sendable {
        case open
        case ended(MQTTError?)
    }

    private let policy: MQTTBufferPolicy
    private var state = State.open
    private var messages: Deque<MQTTMessage> = []
    private var consumer: Consumer?
    private var isPaused = false
    /// Messages that the policy dropped.
    private(set) var dropped = 0

    init(policy: MQTTBufferPolicy) {
        self.policy = policy
    }

    /// Messages that wait.
    var count: Int { messages.count }

    /// A message came.
    mutating func push(_ message: MQTTMessage) -> PushAction {
        guard case .open = state else { return .none }
        if let consumer = consumer.take() { return .deliver(consumer) }
        switch policy.overflow {
        case .suspend: return pushOrPause(message)
        case .dropOldest:
            if messages.count >= policy.limit {
                messages.removeFirst()
                dropped += 1
            }
            messages.append(message)
        case .dropNewest:
            if messages.count < policy.limit { messages.append(message) } else { dropped += 1 }
        }
        return .none
    }

    private mutating func pushOrPause(_ message: MQTTMessage) -> PushAction {
        guard messages.count < 2 * policy.limit else {
            dropped += 1
            return .none
        }
        messages.append(message)
        guard messages.count >= policy.limit, !isPaused else { return .none }
        isPaused = true
        return .pause
    }

    /// The consumer wants a message.
    mutating func pop(_ newConsumer: Consumer) -> PopAction {
        guard consumer == nil else { return .refuse }
        if let message = messages.popFirst() {
            let resume = isPaused && messages.count <= policy.limit / 2
            if resume { isPaused = false }
            return .take(message, resume: resume)
        }
        if case .ended(let error) = state { return .end(error) }
        consumer = newConsumer
        return .wait
    }

    /// The consumer no longer waits.
    mutating func cancel() -> Consumer? { consumer.take() }

    /// No more messages will come; what is buffered can still be taken.
    mutating func end(_ error: MQTTError?) -> Consumer? {
        guard case .open = state else { return nil }
        state = .ended(error)
        return consumer.take()
    }
}

extension SubscriptionBuffer: Sendable where Consumer: Sendable {}
extension SubscriptionBuffer.PushAction: Sendable where Consumer: Sendable {}
extension SubscriptionBuffer.PopAction: Sendable where Consumer: Sendable {}
