/// Something to run on a loop.
enum LoopWork: Sendable {
    /// A job that runs as one of the loop's own executor.
    case job(UnownedJob)
    /// A job of a task that prefers the loop's thread.
    case task(UnownedJob, UnownedTaskExecutor)
    /// A call from another thread.
    case call(@Sendable () -> Void)
}

/// What other threads have for a loop, and how far its life has come.
struct LoopIncoming {
    /// The stages of a loop's life.
    enum Phase {
        case running
        case stopping
        /// The thread is gone. Jobs that still come run on a short-lived thread, one at a time.
        case stopped(isServing: Bool)
    }

    /// What the thread that brought work must do, outside the lock.
    enum Reaction {
        case none
        case wake
        case serve
    }

    private(set) var phase = Phase.running
    private var work: [LoopWork] = []
    private var isWakePending = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func add(_ item: LoopWork) -> Reaction {
        work.append(item)
        switch phase {
        case .running, .stopping:
            defer { isWakePending = true }
            return isWakePending ? .none : .wake
        case .stopped(let isServing):
            phase = .stopped(isServing: true)
            return isServing ? .none : .serve
        }
    }

    /// Exchanges the collected work for an empty array with storage.
    mutating func take(into buffer: inout [LoopWork]) {
        isWakePending = false
        swap(&work, &buffer)
    }

    /// Begins to stop; false if the loop has stopped already, and the waiter may go on.
    mutating func stop(_ waiter: CheckedContinuation<Void, Never>) -> Bool {
        switch phase {
        case .running, .stopping:
            phase = .stopping
            waiters.append(waiter)
            return true
        case .stopped:
            return false
        }
    }

    var isStopping: Bool {
        switch phase {
        case .running: false
        case .stopping, .stopped: true
        }
    }

    var isStopped: Bool {
        switch phase {
        case .running, .stopping: false
        case .stopped: true
        }
    }

    /// The thread ends unless there is more work. Returns who waited for that.
    mutating func finish() -> [CheckedContinuation<Void, Never>]? {
        guard work.isEmpty else { return nil }
        phase = .stopped(isServing: false)
        defer { waiters = [] }
        return waiters
    }
}
