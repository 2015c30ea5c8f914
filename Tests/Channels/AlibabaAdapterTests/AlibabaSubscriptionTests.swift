import Basics
import Connectivity
import DeviceDomain
import Testing

@testable import AlibabaAdapter

/// The connector's side of a subscription whose connections a test ends.
private final class ScriptedConnector: SubscriptionConnector {
    private let state = Guarded<[(SubscriptionLogin, Timestamp)]>([])
    private let clock: ScriptedClock
    private let script: @Sendable (Int) -> [SubscriptionEvent]

    init(_ clock: ScriptedClock, _ script: @escaping @Sendable (Int) -> [SubscriptionEvent]) {
        self.clock = clock
        self.script = script
    }

    var logins: [(SubscriptionLogin, Timestamp)] { state.withLock { $0 } }

    func connect(
        _ login: SubscriptionLogin
    ) throws(SubscriptionUnavailable) -> any SubscriptionConnection {
        let number = state.withLock { state in
            state.append((login, clock.now.wall))
            return state.count
        }
        return ScriptedConnection(script(number))
    }
}

private final class ScriptedConnection: SubscriptionConnection {
    let events: AsyncStream<SubscriptionEvent>

    init(_ script: [SubscriptionEvent]) {
        events = AsyncStream { source in
            for event in script { source.yield(event) }
            if case .ended? = script.last { source.finish() }
        }
    }

    func accept(_ delivery: UInt64) {}
    func stop() {}
}

@Suite(.timeLimit(.minutes(1))) struct AlibabaSubscriptionTests {
    @Test func eachLoginIsNewAndAtMostThreeComeInFiveSeconds() async throws {
        let clock = ScriptedClock()
        let connector = ScriptedConnector(clock) { _ in
            [.attached, .ended("amqp:connection:forced")]
        }
        let channel = AlibabaChannel(
            AlibabaChannelConfiguration(
                id: .literal("cloud"), home: Samples.home, region: "r", products: ["pk"],
                key: AccessKey(id: "testid", secret: "testsecret")),
            transport: ScriptedPlatform { _ in .success("{}") }, connector: connector, clock: clock)
        let subscribing = Task { await channel.subscribe() }
        while connector.logins.count < 12 { await Task.yield() }
        subscribing.cancel()
        await subscribing.value
        let times = connector.logins.map(\.1)
        #expect(zip(times, times.dropFirst(3)).allSatisfy { $1.since($0) > .seconds(5) })
        #expect(Set(connector.logins.map(\.0.user)).count == connector.logins.count)
    }

    @Test func aLinkIsLimitedWhileTheSubscriptionDoesNotWork() async throws {
        let links = LinkAnnouncer()
        var states = links.states().makeAsyncIterator()
        guard case .connecting? = await states.next() else { throw Unexpected() }
        links.subscription(has: CommunicationError(.unreachable, "AMQP is down"))
        links.api(is: .connected)
        guard case .limited(let error)? = await states.next(), error.message == "AMQP is down"
        else {
            throw Unexpected()
        }
        links.subscription(has: nil)
        guard case .connected? = await states.next() else { throw Unexpected() }
        links.api(is: .lost(error, retryIn: nil))
        guard case .lost? = await states.next() else { throw Unexpected() }
        links.close()
        #expect(await states.next() == nil)
    }

    private struct Unexpected: Error {}
}
