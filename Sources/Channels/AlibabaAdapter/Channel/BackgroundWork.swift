internal import Basics

/// Work that goes on until it is closed: it belongs to a channel, not to whoever caused it.
final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var isClosed = false
    }

    private let state = Guarded(State())

    /// Whether no work is begun any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Begins work; it is not begun after the end.
    func begin(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.last += 1
            let number = state.last
            // Unstructured: it must outlive the caller, and is cancelled by `close()`.
            state.tasks[number] = Task { [weak self] in
                await work()
                self?.ended(number)
            }
        }
    }

    private func ended(_ number: Int) { state.withLock { $0.tasks[number] = nil } }

    /// Cancels all work.
    func close() {
        let tasks = state.withLock { state in
            defer { state.tasks = [:] }
            state.isClosed = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }
}
