internal import Locking

/// Joins the loop, which brings the messages of a subscription, with the tasks that consume them, one at
/// a time.
final class SubscriptionChannel: Sendable {
    /// What a consumer gets: nothing after the end.
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

    /// Where consumers are woken.
    let eventLoop: MQTTEventLoop
    private let buffer: Guarded<SubscriptionBuffer<ConsumerSeat>>
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

    /// Whether reading was stopped for it.
    var isFull: Bool { buffer.withLock { $0.isPaused } }

    var dropped: Int { buffer.withLock { $0.dropped } }

    // MARK: The loop

    func push(_ message: MQTTMessage) -> PushResult {
        switch buffer.withLock({ $0.push(message) }) {
        case .none: return .accepted
        case .countDrop: return .dropped
        case .pause: return .full
        case .deliver(let seat):
            seat.hand(.success(message))
            return .accepted
        }
    }

    /// The socket is read again although there is no room: from now on messages are dropped.
    func endPause() {
        buffer.withLock { $0.endPause() }
    }

    func end(_ error: MQTTError?) {
        let seat = buffer.withLock { $0.end(error) }
        seat?.hand(Self.last(error))
    }

    private static func last(_ error: MQTTError?) -> Item {
        error.map { .failure($0) } ?? .success(nil)
    }

    // MARK: The consumer

    /// What can be had without waiting. If that is nothing, what comes next is handed to the seat.
    func take(for seat: ConsumerSeat) -> Item? {
        switch buffer.withLock({ $0.pop(seat) }) {
        case .wait: return nil
        case .end(let error): return Self.last(error)
        case .take(let message, let mayResume):
            if mayResume { resume() }
            return .success(message)
        case .refuse: preconditionFailure("an MQTTSubscription has one consumer at a time")
        }
    }

    /// The consumer no longer waits. What was handed to it before is not lost.
    func cancel(_ seat: ConsumerSeat) {
        let isWaiting = buffer.withLock { $0.cancel { $0 === seat } }
        if isWaiting { seat.hand(.success(nil)) }
    }
}
