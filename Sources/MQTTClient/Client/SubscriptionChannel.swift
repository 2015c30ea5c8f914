/// Joins the loop, which brings messages, with the task that consumes them.
///
/// The consumer waits as a job of this actor: its executor keeps the job until there is something to
/// take, and then runs it on the loop. A continuation would resume its task on the global pool, whatever
/// actor that belongs to: two changes of thread for every message.
actor SubscriptionChannel {
    private nonisolated let place: ConsumerPlace

    nonisolated var unownedExecutor: UnownedSerialExecutor { place.asUnownedSerialExecutor() }

    /// `resume` is called when the socket may be read again.
    init(
        policy: MQTTBufferPolicy, eventLoop: MQTTEventLoop, resume: @escaping @Sendable () -> Void
    ) {
        place = ConsumerPlace(policy: policy, eventLoop: eventLoop, resume: resume)
    }

    nonisolated var dropped: Int { place.dropped }

    nonisolated func push(_ message: MQTTMessage) -> ConsumerPlace.PushResult {
        place.push(message)
    }

    nonisolated func end(_ error: MQTTError?) {
        place.end(error)
    }

    /// Stays on the caller's executor, and does not suspend while there is something to take. Passing
    /// the isolation on by hand is what keeps it there: a closure that does not name it would run on the
    /// global pool.
    func next(
        isolation: isolated (any Actor)? = #isolation
    ) async -> Result<MQTTMessage?, MQTTError> {
        if let taken = place.take(isWanted: !Task.isCancelled) { return taken }
        return await withTaskCancellationHandler {
            _ = isolation
            return await handedOver()
        } onCancel: {
            place.cancel()
        }
    }

    /// Runs only once there is something.
    private func handedOver() -> Result<MQTTMessage?, MQTTError> {
        place.takeHandedOver()
    }
}
