/// The executor on which the consumer of a subscription waits, and what it waits for. It keeps the one
/// job that it is given until there is something to take; the loop's thread runs it then.
final class ConsumerPlace: SerialExecutor {
    typealias Item = Result<MQTTMessage?, MQTTError>
    private typealias PopAction = SubscriptionBuffer<UnownedJob>.PopAction

    private struct State {
        var buffer: SubscriptionBuffer<UnownedJob>
        /// What the consumer finds when its job runs.
        var handedOver: Item?
    }

    /// What the loop must do after a push.
    enum PushResult {
        /// Nothing.
        case accepted
        /// Count a dropped message.
        case dropped
        /// Stop reading the socket.
        case full
    }

    private let state: Guarded<State>
    private let eventLoop: MQTTEventLoop
    /// Called when the socket may be read again.
    private let resume: @Sendable () -> Void

    init(
        policy: MQTTBufferPolicy, eventLoop: MQTTEventLoop, resume: @escaping @Sendable () -> Void
    ) {
        state = Guarded(State(buffer: SubscriptionBuffer(policy: policy)))
        self.eventLoop = eventLoop
        self.resume = resume
    }

    var dropped: Int { state.withLock(of: self) { $0.buffer.dropped } }

    // MARK: The loop

    func push(_ message: MQTTMessage) -> PushResult {
        let action = state.withLock(of: self) { state in
            let action = state.buffer.push(message)
            if case .deliver = action { state.handedOver = .success(message) }
            return action
        }
        switch action {
        case .none: return .accepted
        case .countDrop: return .dropped
        case .pause: return .full
        case .deliver(let job):
            run(job)
            return .accepted
        }
    }

    func end(_ error: MQTTError?) {
        let job = state.withLock(of: self) { state in
            let job = state.buffer.end(error)
            if job != nil { state.handedOver = Self.last(error) }
            return job
        }
        if let job { run(job) }
    }

    private static func last(_ error: MQTTError?) -> Item {
        error.map { .failure($0) } ?? .success(nil)
    }

    // MARK: The consumer

    /// What can be had without waiting. If that is nothing, or not wanted, a wait may begin: what ended an
    /// earlier one does not count any more.
    func take(isWanted: Bool) -> Item? {
        let action = state.withLock(of: self) { state in
            state.handedOver = nil
            return isWanted ? state.buffer.take() : .wait
        }
        return perform(action)
    }

    /// The consumer no longer waits, or shall not begin to.
    func cancel() {
        let job = state.withLock(of: self) { state in
            // What was handed over before the cancellation is not lost.
            state.handedOver = state.handedOver ?? .success(nil)
            return state.buffer.cancel()
        }
        if let job { run(job) }
    }

    func takeHandedOver() -> Item {
        let item = state.withLock(of: self) { $0.handedOver.take() }
        guard let item else { preconditionFailure("a consumer runs although nothing came for it") }
        return item
    }

    // MARK: Executor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let action = state.withLock(of: self) { state -> PopAction? in
            // A cancellation came first.
            guard state.handedOver == nil else { return nil }
            let action = state.buffer.pop(job)
            state.handedOver = Self.item(of: action)
            return action
        }
        guard let action else { return run(job) }
        if perform(action) != nil { run(job) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// As a job of the loop: a consumer that lives there goes on without another one.
    private func run(_ job: UnownedJob) {
        eventLoop.submit(.job(job))
    }

    private func perform(_ action: PopAction) -> Item? {
        if case .take(_, resume: true) = action { resume() }
        return Self.item(of: action)
    }

    /// What the consumer gets now, if anything.
    private static func item(of action: PopAction) -> Item? {
        switch action {
        case .wait: nil
        case .end(let error): last(error)
        case .take(let message, _): .success(message)
        case .refuse: preconditionFailure("an MQTTSubscription has one consumer at a time")
        }
    }
}
