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

    func next() async -> Result<MQTTMessage?, MQTTError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { pop($0) }
        } onCancel: {
            let consumer = buffer.withLock(of: self) { $0.cancel() }
            consumer?.resume(returning: .success(nil))
        }
    }

    private func pop(_ consumer: Consumer) {
        // A cancellation that came before the consumer was kept would find nobody.
        if Task.isCancelled { return consumer.resume(returning: .success(nil)) }
        switch buffer.withLock(of: self, { $0.pop(consumer) }) {
        case .wait:
            if Task.isCancelled { cancel() }
        case .end(let error):
            consumer.resume(returning: error.map { .failure($0) } ?? .success(nil))
        case .take(let message, let mayResume):
            if mayResume { resume() }
            consumer.resume(returning: .success(message))
        case .refuse:
            preconditionFailure("an MQTTSubscription has one consumer at a time")
        }
    }

    private func cancel() {
        let consumer = buffer.withLock(of: self) { $0.cancel() }
        consumer?.resume(returning: .success(nil))
    }
}
