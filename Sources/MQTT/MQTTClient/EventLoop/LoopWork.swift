/// A unit of work for a loop.
enum LoopWork: Sendable {
    /// A job of an actor whose executor is the loop.
    case job(UnownedJob)
    /// A job of a task that prefers the loop's thread.
    case task(UnownedJob, UnownedTaskExecutor)
    /// A call from another thread.
    case call(@Sendable () -> Void)
}

/// The work that other threads submit to a loop, and the stage of the loop's life.
struct LoopIncoming {
    /// The stages of a loop's life.
    enum Phase {
        case running
        case stopping
        /// The thread has ended. Later jobs run on a short-lived thread, one at a time.
        case stopped(isServing: Bool)
    }

    /// An action that the submitting thread must take, outside the lock.
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

    /// Swaps the collected work with an empty array that has storage.
    mutating func take(into buffer: inout [LoopWork]) {
        isWakePending = false
        swap(&work, &buffer)
    }

    /// Starts to stop; returns false if the loop has already stopped and the waiter may continue.
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

    /// The thread ends unless there is more work. Returns the tasks that wait for its end.
    mutating func finish() -> [CheckedContinuation<Void, Never>]? {
        guard work.isEmpty else { return nil }
        phase = .stopped(isServing: false)
        defer { waiters = [] }
        return waiters
    }
}
