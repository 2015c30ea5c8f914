/// How far the run of a shard has come, and who waits for its end.
struct ShardLife {
    /// How far it has come.
    enum Phase {
        /// Not started.
        case idle
        /// Devices run; none has reached the broker yet.
        case starting
        /// At least one device has reached the broker.
        case running
        /// Devices publish that they go offline.
        case ending(FleetError?)
        /// Over.
        case ended(Result<Void, FleetError>)
    }

    var phase = Phase.idle
    /// Messages that the broker had not confirmed when connections were closed.
    var undelivered = 0
    private var waiter: CheckedContinuation<Result<Void, FleetError>, Never>?

    /// Whether devices run: not before the start, and not once the end has begun.
    var isAlive: Bool {
        switch phase {
        case .starting, .running: true
        case .idle, .ending, .ended: false
        }
    }

    /// Whether devices run and none has reached the broker yet.
    var isStarting: Bool {
        switch phase {
        case .starting: true
        case .idle, .running, .ending, .ended: false
        }
    }

    /// Begins.
    mutating func start(_ waiter: CheckedContinuation<Result<Void, FleetError>, Never>) {
        self.waiter = waiter
        phase = .starting
    }

    /// Ends, and tells who waits.
    mutating func end(_ error: FleetError?) {
        let result: Result<Void, FleetError> = error.map { .failure($0) } ?? .success(())
        phase = .ended(result)
        waiter?.resume(returning: result)
        waiter = nil
    }
}
