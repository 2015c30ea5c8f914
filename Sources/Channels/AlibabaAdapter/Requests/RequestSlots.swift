internal import Basics

/// How many requests are under way, and who waits for one to end; first come, first served.
final class RequestSlots: Sendable {
    private struct State {
        var taken = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let state = Guarded(State())

    init(_ limit: Int) { self.limit = limit }

    /// Runs `body` once there is a slot for it.
    func withSlot<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await take()
        defer { giveBack() }
        return try await body()
    }

    private func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.taken == limit else {
                    state.taken += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func giveBack() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.taken -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
