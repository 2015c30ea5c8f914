internal import Basics
public import DeviceDomain

/// Clocks that stand still until a test moves them, so that a test of minutes takes microseconds.
///
/// ```swift
/// clock.advance(by: await clock.sleeper(within: .seconds(10)))  // to the next deadline
/// ```
public final class ManualClock: CommandClock {
    private struct Sleeper {
        let due: Duration
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var moment: Moment
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var lastSleeper = 0
        var watchers: [(limit: Duration, continuation: CheckedContinuation<Duration, Never>)] = []

        /// The watchers that a sleeper satisfies.
        mutating func takeWatchers(of due: Duration) -> [CheckedContinuation<Duration, Never>] {
            let satisfied = watchers.filter { due <= $0.limit }.map(\.continuation)
            watchers.removeAll { due <= $0.limit }
            return satisfied
        }
    }

    private let state: Guarded<State>

    /// - Parameter wall: what the wall clock shows at first.
    public init(wall: Timestamp = Timestamp(milliseconds: 1_764_000_000_000)) {
        state = Guarded(State(moment: Moment(wall: wall, elapsed: .zero)))
    }

    public var now: Moment { state.withLock { $0.moment } }

    /// Advances both clocks and resumes sleepers that are due.
    public func advance(by time: Duration) {
        let due = state.withLock { state -> [Sleeper] in
            state.moment.elapsed += time
            state.moment.wall = state.moment.wall.advanced(by: time)
            let elapsed = state.moment.elapsed
            let due = state.sleepers.filter { $0.value.due <= elapsed }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.sorted { $0.due < $1.due }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Steps the wall clock alone.
    public func stepWall(by time: Duration) {
        state.withLock { $0.moment.wall = $0.moment.wall.advanced(by: time) }
    }

    /// Waits until a sleeper will be due within a time from now, and returns its remaining time.
    public func sleeper(within time: Duration) async -> Duration {
        let limit = now.elapsed + time
        let due = await withCheckedContinuation { continuation in
            let due = state.withLock { state -> Duration? in
                let due = state.sleepers.values.map(\.due).filter { $0 <= limit }.min()
                if due == nil { state.watchers.append((limit, continuation)) }
                return due
            }
            if let due { continuation.resume(returning: due) }
        }
        return due - now.elapsed
    }

    public func sleep(until elapsed: Duration) async {
        let key = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { register($0, key: key, due: elapsed) }
        } onCancel: {
            cancel(key)
        }
    }

    private func register(
        _ continuation: CheckedContinuation<Void, Never>, key: Int, due: Duration
    ) {
        let watchers = state.withLock {
            state -> [CheckedContinuation<Duration, Never>]? in
            if state.cancelled.remove(key) != nil || due <= state.moment.elapsed { return nil }
            state.sleepers[key] = Sleeper(due: due, continuation: continuation)
            return state.takeWatchers(of: due)
        }
        guard let watchers else { return continuation.resume() }
        for watcher in watchers { watcher.resume(returning: due) }
    }

    private func cancel(_ key: Int) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: key)
            if sleeper == nil { state.cancelled.insert(key) }
            return sleeper
        }
        sleeper?.continuation.resume()
    }
}
