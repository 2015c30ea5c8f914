internal import Basics

/// One consumer of a subscription, which waits for messages.
///
/// The waiting task is a job of this actor, which is its own executor: it keeps the job until there is an
/// item, and then runs it on the loop. A continuation would resume the task on the global pool, with two
/// thread switches for every message. Each consumer has its own object, so that a cancelled one is not
/// confused with its successor.
actor SubscriptionConsumer: SerialExecutor {
    private struct State {
        /// The waiting task, as long as there is no item.
        var job: UnownedJob?
        /// What the task gets when its job runs.
        var item: SubscriptionChannel.Item?
    }

    private nonisolated let channel: SubscriptionChannel
    private nonisolated let state = Guarded(State())

    init(of channel: SubscriptionChannel) {
        self.channel = channel
    }

    /// The next message; nil after the end, and in a cancelled task.
    ///
    /// Stays on the caller's executor, and does not suspend if there is an item. The closure names the
    /// isolation because it would otherwise run on the global pool.
    func next(
        isolation: isolated (any Actor)? = #isolation
    ) async -> SubscriptionChannel.Item {
        guard !Task.isCancelled else { return .success(nil) }
        if let item = channel.take(for: self) { return item }
        return await withTaskCancellationHandler {
            _ = isolation
            return await delivered()
        } onCancel: {
            channel.cancel(self)
        }
    }

    /// Ends the wait. Called once for each time that the channel had no item.
    nonisolated func deliver(_ item: SubscriptionChannel.Item) {
        let job = state.withLock { state in
            state.item = item
            return state.job.take()
        }
        if let job { run(job) }
    }

    /// Runs only when there is an item.
    private func delivered() -> SubscriptionChannel.Item {
        let item = state.withLock { $0.item.take() }
        guard let item else { preconditionFailure("a consumer was resumed without an item") }
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

    /// Runs it as a job of the loop, so that a consumer on the loop needs no further switch.
    private nonisolated func run(_ job: UnownedJob) {
        channel.eventLoop.submit(.job(job))
    }
}
