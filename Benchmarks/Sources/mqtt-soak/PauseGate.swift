import Synchronization

/// Keeps short-lived clients from starting while the process is measured: each holds a descriptor.
final class PauseGate: Sendable {
    private struct State {
        var isClosed = false
        var isInUse = false
    }

    private let state = Mutex(State())

    /// Whether a client may start; then `leave()` must be called at its end.
    func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.isInUse = true
            return true
        }
    }

    func leave() {
        state.withLock { $0.isInUse = false }
    }

    /// Lets no further client start; true once none is running.
    func close() -> Bool {
        state.withLock { state in
            state.isClosed = true
            return !state.isInUse
        }
    }

    func open() {
        state.withLock { $0.isClosed = false }
    }
}
