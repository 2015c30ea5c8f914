/// Joins the loop, which brings messages, with the task that consumes them.
final class SubscriptionChannel: Sendable {
    typealias Consumer = CheckedContinuation<Result<MQTTMessage?, MQTTError>, Never>

    private let buffer: Guarded<SubscriptionBuffer<Consumer>>
    /// Called when the socket may be read again.
    private let resume: @Sendable () -> Void

    init(policy: MQTTBufferPolicy, resume: @escaping @Sendable () -> Void) {
        self.buffer = Guarded(SubscriptionBuffer(policy: policy))
        self.resume = resume
    }

    var dropped: Int { buffer.withLock(of: self) { $0.dropped } }

    /// What the loop must do after a push.
    enum PushResult {
        /// Nothing.
        case accepted
        /// Count a dropped message.
        case dropped
        /// Stop reading the socket.
        case full
    }

    func push(_ message: MQTTMessage) -> PushResult {
        switch buffer.withLock(of: self, { $0.push(message) }) {
        case .none: return .accepted
        case .countDrop: return .dropped
        case .pause: return .full
        case .deliver(let consumer):
            consumer.resume(returning: .success(message))
            return .accepted
        }
    }

    func end(_ error: MQTTError?) {
        let consumer = buffer.withLock(of: self) { $0.end(error) }
        consumer?.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }

    /// Stays on the caller's executor, and does not suspend while there is something to take. Passing
    /// the isolation on by hand is what keeps it there: a closure that does not name it would run on the
    /// global pool, at the price of two hops for every message.
    func next(
        isolation: isolated (any Actor)? = #isolation
    ) async -> Result<MQTTMessage?, MQTTError> {
        if !Task.isCancelled, let taken = take() { return taken }
        return await withTaskCancellationHandler {
            _ = isolation
            return await withCheckedContinuation(isolation: isolation) { wait(as: $0) }
        } onCancel: {
            cancel()
        }
    }

    /// What can be had without waiting.
    private func take() -> Result<MQTTMessage?, MQTTError>? {
        perform(buffer.withLock(of: self) { $0.take() })
    }

    private func wait(as consumer: Consumer) {
        // A cancellation that came before the consumer was kept would find nobody.
        if Task.isCancelled { return consumer.resume(returning: .success(nil)) }
        if let taken = perform(buffer.withLock(of: self, { $0.pop(consumer) })) {
            consumer.resume(returning: taken)
        } else if Task.isCancelled {
            cancel()
        }
    }

    /// What the consumer gets now, if anything.
    private func perform(
        _ action: SubscriptionBuffer<Consumer>.PopAction
    ) -> Result<MQTTMessage?, MQTTError>? {
        switch action {
        case .wait: return nil
        case .end(let error): return error.map { .failure($0) } ?? .success(nil)
        case .take(let message, let mayResume):
            if mayResume { resume() }
            return .success(message)
        case .refuse:
            preconditionFailure("an MQTTSubscription has one consumer at a time")
        }
    }

    private func cancel() {
        let consumer = buffer.withLock(of: self) { $0.cancel() }
        consumer?.resume(returning: .success(nil))
    }
}
