internal import Basics

/// How many homes of an instance do something at a time that loads broker and ledger; first come, first served.
final class HomeSlots: Sendable {
    private struct State {
        var free: Int
        var waiting: [FutureValue<Void>] = []
    }

    private let state: Guarded<State>

    init(_ count: Int) { state = Guarded(State(free: count)) }

    /// Runs `body` when it has its turn; not at all for a task that is cancelled before.
    func inTurn(_ body: () async -> Void) async {
        let turn = state.withLock { state -> FutureValue<Void>? in
            guard state.free == 0 else {
                state.free -= 1
                return nil
            }
            let turn = FutureValue<Void>()
            state.waiting.append(turn)
            return turn
        }
        if let turn, await turn.value() == nil {
            let isWaiting = state.withLock { state in
                guard let place = state.waiting.firstIndex(where: { $0 === turn }) else {
                    return false
                }
                state.waiting.remove(at: place)
                return true
            }
            // Its turn came at the same time.
            if !isWaiting { letNextBegin() }
            return
        }
        await body()
        letNextBegin()
    }

    private func letNextBegin() {
        let next = state.withLock { state -> FutureValue<Void>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.settle(())
    }
}
