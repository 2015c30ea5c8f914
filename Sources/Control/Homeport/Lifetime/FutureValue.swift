internal import Basics

/// A value that comes once and that any number of callers may wait for.
final class FutureValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]
        var cancelled: Set<Int> = []
        var lastWaiter = 0
    }

    private let state = Guarded(State())

    /// The value, if it has come.
    var current: Value? { state.withLock { $0.value } }

    /// Gives the value; a second one is ignored.
    func settle(_ value: Value) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Waits for the value; `nil` for a cancelled task.
    func value() async -> Value? {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, number) }
        } onCancel: {
            cancel(number)
        }
    }

    private func wait(_ continuation: CheckedContinuation<Value?, Never>, _ number: Int) {
        let answer = state.withLock { state -> Value?? in
            if let value = state.value { return value }
            if state.cancelled.remove(number) != nil { return .some(nil) }
            state.waiters[number] = continuation
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: number)
            if waiter == nil, state.value == nil { state.cancelled.insert(number) }
            return waiter
        }
        waiter?.resume(returning: nil)
    }
}
