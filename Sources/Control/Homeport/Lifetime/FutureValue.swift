internal import Basics

/// A value that comes once and that any number of callers may wait for.
final class FutureValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [ObjectIdentifier: AnswerSlot<Value?>] = [:]
    }

    private let state = Guarded(State())

    /// The value, if it has come.
    var current: Value? { state.withLock { $0.value } }

    /// Gives the value; a second one is ignored.
    func settle(_ value: Value) {
        let waiters = state.withLock { state -> [AnswerSlot<Value?>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resolve(value) }
    }

    /// Waits for the value; `nil` for a cancelled task.
    func value() async -> Value? {
        let slot = AnswerSlot<Value?>()
        let value = state.withLock { state -> Value? in
            if state.value == nil { state.waiters[ObjectIdentifier(slot)] = slot }
            return state.value
        }
        if let value { return value }
        defer { state.withLock { $0.waiters[ObjectIdentifier(slot)] = nil } }
        return await slot.value(ifCancelled: nil)
    }
}
