internal import Basics

/// Passes the messages of a subscription from the loop to the tasks that consume them, one at a time.
final class SubscriptionChannel: Sendable {
    /// What a consumer gets: a message, or nil after the end.
    typealias Item = Result<MQTTMessage?, MQTTError>

    /// What the loop must do after a push.
    enum PushResult {
        /// Nothing.
        case accepted
        /// Count a dropped message.
        case dropped
        /// Stop reading the socket.
        case full
    }

    /// The loop on which consumers are resumed.
    let eventLoop: MQTTEventLoop
    private let buffer: Guarded<SubscriptionBuffer<SubscriptionConsumer>>
    /// Called when the socket may be read again.
    private let resume: @Sendable () -> Void

    /// `resume` is called when the socket may be read again.
    init(
        policy: MQTTBufferPolicy, eventLoop: MQTTEventLoop, resume: @escaping @Sendable () -> Void
    ) {
        buffer = Guarded(SubscriptionBuffer(policy: policy))
        self.eventLoop = eventLoop
        self.resume = resume
    }

    /// Whether this channel has stopped reading.
    var isFull: Bool { buffer.withLock { $0.isPaused } }

    var dropped: Int { buffer.withLock { $0.dropped } }

    // MARK: The loop

    func push(_ message: MQTTMessage) -> PushResult {
        switch buffer.withLock({ $0.push(message) }) {
        case .none: return .accepted
        case .countDrop: return .dropped
        case .pause: return .full
        case .deliver(let consumer):
            consumer.deliver(.success(message))
            return .accepted
        }
    }

    /// The socket is read again although there is no room: from now on messages are dropped.
    func endPause() {
        buffer.withLock { $0.endPause() }
    }

    func end(_ error: MQTTError?) {
        let consumer = buffer.withLock { $0.end(error) }
        consumer?.deliver(Self.last(error))
    }

    private static func last(_ error: MQTTError?) -> Item {
        error.map { .failure($0) } ?? .success(nil)
    }

    // MARK: The consumer

    /// An item that is available without waiting. If there is none, the next one is delivered to the consumer.
    func take(for consumer: SubscriptionConsumer) -> Item? {
        switch buffer.withLock({ $0.pop(consumer) }) {
        case .wait: return nil
        case .end(let error): return Self.last(error)
        case .take(let message, let mayResume):
            if mayResume { resume() }
            return .success(message)
        case .refuse: preconditionFailure("an MQTTSubscription has one consumer at a time")
        }
    }

    /// The consumer stops waiting. An item that was already delivered to it is not lost.
    func cancel(_ consumer: SubscriptionConsumer) {
        let isWaiting = buffer.withLock { $0.cancel { $0 === consumer } }
        if isWaiting { consumer.deliver(.success(nil)) }
    }
}
