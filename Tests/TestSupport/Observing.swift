private import Observation

/// Waits until a condition on observable state holds; it looks again after each change of what the
/// condition has read.
@MainActor
package func until(_ condition: @MainActor () -> Bool) async {
    while true {
        let (changes, tell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let holds = withObservationTracking(condition) { tell.yield() }
        if holds || Task.isCancelled { return }
        for await _ in changes { break }
    }
}
