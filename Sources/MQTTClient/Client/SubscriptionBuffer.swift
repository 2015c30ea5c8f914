private import DequeModule

/// The messages between the loop and the one consumer of a subscription, as a value: each event returns
/// what the owner must do, outside its lock.
struct SubscriptionBuffer<Consumer> {
    /// What the producer must do.
    enum PushAction {
        /// Nothing.
        case none
        /// Count a message: this one or an older one was dropped.
        case countDrop
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
    /// What waits instead of ``messages`` where only the latest of a topic counts.
    private var latest = LatestMessages()
    private var consumer: Consumer?
    /// Whether the limit was reached, and half of it not since.
    private(set) var isPaused = false
    /// Whether messages come although it is paused, so that there must be a bound.
    private var isPauseOver = false
    /// Messages that the policy dropped.
    private(set) var dropped = 0

    init(policy: MQTTBufferPolicy) {
        self.policy = policy
    }

    /// Messages that wait.
    var count: Int { messages.count + latest.count }

    /// A message came.
    mutating func push(_ message: MQTTMessage) -> PushAction {
        guard case .open = state else { return .none }
        if let consumer = consumer.take() { return .deliver(consumer) }
        switch policy.overflow {
        case .suspend: return pushOrPause(message)
        case .dropOldest: return pushDroppingOldest(message)
        case .dropNewest:
            guard messages.count < policy.limit else { return drop() }
            messages.append(message)
            return .none
        case .latestPerTopic: return pushLatest(message)
        }
    }

    private mutating func pushDroppingOldest(_ message: MQTTMessage) -> PushAction {
        messages.append(message)
        guard messages.count > policy.limit else { return .none }
        messages.removeFirst()
        return drop()
    }

    private mutating func pushLatest(_ message: MQTTMessage) -> PushAction {
        if latest.put(message) != nil { return drop() }
        guard latest.count > policy.limit, latest.popFirst() != nil else { return .none }
        return drop()
    }

    private mutating func drop() -> PushAction {
        dropped += 1
        return .countDrop
    }

    private mutating func pushOrPause(_ message: MQTTMessage) -> PushAction {
        guard !isPauseOver || messages.count < 2 * policy.limit else { return drop() }
        messages.append(message)
        guard messages.count >= policy.limit, !isPaused else { return .none }
        isPaused = true
        return .pause
    }

    /// The consumer wants a message, and waits for it if there is none.
    mutating func pop(_ newConsumer: Consumer) -> PopAction {
        guard consumer == nil else { return .refuse }
        if let message = messages.popFirst() ?? latest.popFirst() {
            let resume = isPaused && messages.count <= policy.limit / 2
            if resume {
                isPaused = false
                isPauseOver = false
            }
            return .take(message, resume: resume)
        }
        if case .ended(let error) = state { return .end(error) }
        consumer = newConsumer
        return .wait
    }

    /// The socket is read although the limit was reached.
    mutating func endPause() {
        isPauseOver = isPaused
    }

    /// A consumer no longer waits. False if it was not this one that waits: it has been served.
    mutating func cancel(_ isLeaving: (Consumer) -> Bool) -> Bool {
        guard let waiting = consumer, isLeaving(waiting) else { return false }
        consumer = nil
        return true
    }

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
