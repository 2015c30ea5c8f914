import Basics
import Provisioning

/// Time that passes by the pauses between questions alone: a pause takes no time of the test, and a limit is
/// reached once the pauses add up to it.
final class TestClock: ProvisioningClock {
    private static let longestPause = Duration.seconds(5)
    /// How often a pause lets others run. On a loaded machine one of two loops could make the time of both
    /// pass while the other one's thread stands still.
    private static let turns = 100

    private struct State {
        var elapsed = Duration.zero
        var limits: [Int: (due: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
        var cancelled: Set<Int> = []
        var last = 0
    }

    private let state = Guarded(State())

    var elapsed: Duration { state.withLock { $0.elapsed } }

    func sleep(for time: Duration) async {
        if time <= Self.longestPause {
            advance(by: time)
            for _ in 0..<Self.turns { await Task.yield() }
        } else {
            await wait(for: time)
        }
    }

    private func advance(by time: Duration) {
        let due = state.withLock { state in
            state.elapsed += time
            let keys = state.limits.filter { $0.value.due <= state.elapsed }.keys
            return keys.compactMap { state.limits.removeValue(forKey: $0)?.continuation }
        }
        for continuation in due { continuation.resume() }
    }

    private func wait(for time: Duration) async {
        let key = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.cancelled.remove(key) != nil { return true }
                    state.limits[key] = (state.elapsed + time, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let limit = state.withLock { state in
                let limit = state.limits.removeValue(forKey: key)
                if limit == nil { state.cancelled.insert(key) }
                return limit?.continuation
            }
            limit?.resume()
        }
    }
}
