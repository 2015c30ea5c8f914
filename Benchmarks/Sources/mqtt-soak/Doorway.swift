import Synchronization

/// Keeps the visitor outside while the process is counted: a visit under way holds a descriptor.
final class Doorway: Sendable {
    private struct State {
        var isClosed = false
        var isSomebodyInside = false
    }

    private let state = Mutex(State())

    /// Whether the visitor may go in; then it must say when it has left.
    func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.isSomebodyInside = true
            return true
        }
    }

    func leave() {
        state.withLock { $0.isSomebodyInside = false }
    }

    /// Lets nobody in any more; true once nobody is inside.
    func close() -> Bool {
        state.withLock { state in
            state.isClosed = true
            return !state.isSomebodyInside
        }
    }

    func open() {
        state.withLock { $0.isClosed = false }
    }
}
