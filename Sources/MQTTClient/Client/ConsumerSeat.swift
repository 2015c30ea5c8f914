internal import Locking

/// Where one consumer of a subscription waits.
///
/// It waits as a job of this actor, which is its own executor: it keeps the job until there is something
/// to take, and then runs it on the loop. A continuation would resume the task on the global pool,
/// whatever actor that belongs to: two changes of thread for every message. A seat of its own for every
/// consumer keeps apart one that was cancelled, and learns of it later, and the one that follows.
actor ConsumerSeat: SerialExecutor {
    private struct State {
        /// The consumer, as long as there is nothing for it.
        var job: UnownedJob?
        /// What the consumer finds when its job runs.
        var item: SubscriptionChannel.Item?
    }

    private nonisolated let channel: SubscriptionChannel
    private nonisolated let state = Guarded(State())

    init(at channel: SubscriptionChannel) {
        self.channel = channel
    }

    /// The next message; nil after the end, and in a cancelled task.
    ///
    /// Stays on the caller's executor, and does not suspend while there is something to take. Passing
    /// the isolation on by hand is what keeps it there: a closure that does not name it would run on the
    /// global pool.
    func next(
        isolation: isolated (any Actor)? = #isolation
    ) async -> SubscriptionChannel.Item {
        guard !Task.isCancelled else { return .success(nil) }
        if let item = channel.take(for: self) { return item }
        return await withTaskCancellationHandler {
            _ = isolation
            return await handedOver()
        } onCancel: {
            channel.cancel(self)
        }
    }

    /// Ends the consumer's waiting; once for each time that the channel had nothing.
    nonisolated func hand(_ item: SubscriptionChannel.Item) {
        let job = state.withLock { state in
            state.item = item
            return state.job.take()
        }
        if let job { run(job) }
    }

    /// Runs only once there is something.
    private func handedOver() -> SubscriptionChannel.Item {
        let item = state.withLock { $0.item.take() }
        guard let item else { preconditionFailure("a consumer runs although nothing came for it") }
        return item
    }

    // MARK: Executor

    nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    nonisolated func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isServed = state.withLock { state in
            if state.item == nil { state.job = job }
            return state.item != nil
        }
        if isServed { run(job) }
    }

    /// As a job of the loop: a consumer that lives there goes on without another one.
    private nonisolated func run(_ job: UnownedJob) {
        channel.eventLoop.submit(.job(job))
    }
}
