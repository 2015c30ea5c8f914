internal import Basics

/// A clock for tests. It only advances when told to, and then wakes the loops that use it.
package final class ManualLoopClock: Sendable {
    private struct State {
        /// Not zero, so that times before the start of a loop can be represented.
        var nanoseconds: UInt64 = 1_000_000_000_000
        /// When loops will wake, including times that are not needed any more.
        var deadlines: Set<UInt64> = []
        var waiters: [(deadline: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
        var observers: [@Sendable () -> Void] = []
    }

    private let state = Guarded(State())

    package init() {}

    var nanoseconds: UInt64 { state.withLock { $0.nanoseconds } }

    /// Advances the clock.
    package func advance(by time: Duration) {
        let observers = state.withLock { state in
            state.nanoseconds += time.wholeNanoseconds
            let now = state.nanoseconds
            state.deadlines = state.deadlines.filter { $0 > now }
            return state.observers
        }
        for observer in observers { observer() }
    }

    /// Waits until a loop has a timer due after exactly that time.
    package func due(after time: Duration) async {
        await withCheckedContinuation { continuation in
            let isKnown = state.withLock { state in
                let deadline = state.nanoseconds + time.wholeNanoseconds
                guard !state.deadlines.contains(deadline) else { return true }
                state.waiters.append((deadline, continuation))
                return false
            }
            if isKnown { continuation.resume() }
        }
    }

    /// Waits until a loop has a timer due after exactly that time, and advances the clock by it.
    package func pass(_ time: Duration) async {
        await due(after: time)
        advance(by: time)
    }

    func scheduled(_ deadline: UInt64) {
        let waiters = state.withLock { state in
            state.deadlines.insert(deadline)
            let waiters = state.waiters.filter { $0.deadline == deadline }
            state.waiters.removeAll { $0.deadline == deadline }
            return waiters
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    func whenMoved(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append(body) }
    }
}
