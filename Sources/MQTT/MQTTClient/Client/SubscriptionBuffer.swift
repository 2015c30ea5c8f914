private import DequeModule

/// The buffer between the loop and the one consumer of a subscription. A value type: each event returns an
/// action that the owner must take, outside its lock.
struct SubscriptionBuffer<Consumer> {
    /// An action of the producer.
    enum PushAction {
        /// Nothing.
        case none
        /// Count a message: this one or an older one was dropped.
        case countDrop
        /// Pass the message to the waiting consumer.
        case deliver(Consumer)
        /// The limit is reached: stop reading the socket.
        case pause
    }

    /// An action of the consumer.
    enum PopAction {
        /// Take the message. If the flag is true, the socket may be read again.
        case take(MQTTMessage, resume: Bool)
        /// Wait; the consumer is stored.
        case wait
        /// There are no more messages.
        case end(MQTTError?)
        /// Another consumer waits already.
        case refuse
    }

    private enum State: Sendable {
        case open
        case ended(MQTTError?)
    }

    private let policy: MQTTBufferPolicy
    private var state = State.open
    private var messages: Deque<MQTTMessage> = []
    /// Used instead of ``messages`` if the policy keeps the latest message of each topic.
    private var latest = LatestMessages()
    private var consumer: Consumer?
    /// Whether the limit was reached and the buffer is still more than half full.
    private(set) var isPaused = false
    /// Whether the socket is read although the buffer is full, so that messages must be dropped.
    private var isPauseOver = false
    /// Messages that the policy dropped.
    private(set) var dropped = 0

    init(policy: MQTTBufferPolicy) {
        self.policy = policy
    }

    /// How many messages are buffered.
    var count: Int { messages.count + latest.count }

    /// A message was received.
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

    /// The consumer asks for a message, and waits if there is none.
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

    /// A consumer stops waiting. False if it was not waiting any more, because it was served.
    mutating func cancel(_ isLeaving: (Consumer) -> Bool) -> Bool {
        guard let waiting = consumer, isLeaving(waiting) else { return false }
        consumer = nil
        return true
    }

    /// No more messages will come; buffered ones can still be taken.
    mutating func end(_ error: MQTTError?) -> Consumer? {
        guard case .open = state else { return nil }
        state = .ended(error)
        return consumer.take()
    }
}

extension SubscriptionBuffer: Sendable where Consumer: Sendable {}
extension SubscriptionBuffer.PushAction: Sendable where Consumer: Sendable {}
extension SubscriptionBuffer.PopAction: Sendable where Consumer: Sendable {}
