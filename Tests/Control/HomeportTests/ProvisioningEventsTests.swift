import Basics
import Connectivity
import Provisioning
import Testing

@testable import Homeport

@Suite(.timeLimit(.minutes(1))) struct ProvisioningEventsTests {
    /// An attempt that is taken back has events, too.
    @Test func theEventsAfterACancellationAreTold() async {
        let (events, source) = BoundedStream<ProvisioningEvent>.make(.dropNewest(limit: 8))
        let heard = Guarded<[String]>([])
        let attempt = Task {
            await events.reporting { event in
                if case .notice(let error) = event { heard.withLock { $0.append(error.message) } }
            } while: {
                while !Task.isCancelled { await Task.yield() }
                source.send(.notice(ProvisioningError(.cancelled, "taking back", .runAgain)))
                source.finish()
            }
        }
        attempt.cancel()
        await attempt.value
        #expect(heard.withLock { $0 } == ["taking back"])
    }
}
