import Basics
import TestSupport
import Testing

@testable import MQTTClient

/// Clients that come back by rules of their own.
@Suite(.timeLimit(.minutes(1)))
struct ReconnectStormTests {
    private static let count = 300

    /// More at once than a loop lets have outstanding, and than its budget allows.
    @Test func clientsByThemselvesAllTryAtTheSameInstant() async throws {
        let clock = ManualLoopClock()
        let loop = try MQTTEventLoop(
            label: "storm", clock: .manual(clock), reconnectBudget: .individual)
        try await withFakeBroker { broker in
            var owners: [TestOwner] = []
            for number in 0..<Self.count {
                var configuration = try MQTTConfiguration.test(broker.port, id: "c\(number)")
                configuration.reconnect = MQTTReconnectPolicy(initial: .seconds(1))
                configuration.reconnect.delays = .fixed
                let owner = TestOwner(on: loop)
                await owner.connect(configuration)
                try await owner.waitUntilConnected()
                owners.append(owner)
            }
            broker.proceed()
            for owner in owners {
                for await event in owner.events {
                    guard case .disconnected(_, let delay) = event else { continue }
                    #expect(delay == .seconds(1))
                    break
                }
            }
            clock.advance(by: .seconds(1))
            await broker.signalled()
        } broker: { broker in
            let peers = try (0..<Self.count).map { _ in try broker.acceptConnected() }
            try broker.awaitProceed()
            for peer in peers { peer.cut() }
            // None is answered, so that each attempt stays outstanding.
            for _ in 0..<Self.count { _ = try broker.accept().readConnect() }
            broker.signal()
        }
        await loop.shutdown()
    }

    @Test func aFixedDelayIsTheSameWhateverTheCause() throws {
        var policy = MQTTReconnectPolicy(initial: .seconds(3), cap: .seconds(3))
        policy.delays = .fixed
        let delays = try delays(policy, after: [.unreachable, .busy, .tls, .tls, .tls, .lost])
        #expect(delays.allSatisfy { $0 == .seconds(3) })
    }

    @Test func aDoublingDelayEndsAtItsCap() throws {
        var policy = MQTTReconnectPolicy(initial: .seconds(1), cap: .seconds(10))
        policy.delays = .doubling
        let delays = try delays(policy, after: Array(repeating: .unreachable, count: 6))
        #expect(delays == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
    }

    @Test func aJitteredDelayFollowsFromItsSeed() throws {
        func delays(seed: UInt64) throws -> [Duration] {
            var policy = MQTTReconnectPolicy(initial: .seconds(1), cap: .seconds(60))
            policy.delays = .jittered(seed: seed)
            return try self.delays(policy, after: Array(repeating: .unreachable, count: 20))
        }
        let drawn = try delays(seed: 1)
        #expect(try delays(seed: 1) == drawn)
        #expect(try delays(seed: 2) != drawn)
        let limits = [1, 2, 4, 8, 16, 32] + Array(repeating: 60, count: 14)
        #expect(zip(drawn, limits).allSatisfy { $0 <= .seconds($1) })
        #expect(Set(drawn).count == drawn.count)
    }

    /// A stable connection forgets the failures, and does not begin the sequence again.
    @Test func aStableConnectionGoesOnWithTheSequence() throws {
        var policy = MQTTReconnectPolicy(initial: .seconds(1), cap: .seconds(60))
        policy.delays = .jittered(seed: 5)
        let delays = try delays(policy, after: Array(repeating: .stable, count: 10))
        #expect(delays.allSatisfy { $0 <= .seconds(1) })
        #expect(Set(delays).count == delays.count)
    }

    private enum Failure {
        case unreachable, busy, tls, lost, stable

        var error: MQTTError {
            switch self {
            case .unreachable: MQTTError(.unreachable, "away")
            case .busy: MQTTError(.connectionRefused, "busy", reasonCode: .serverBusy)
            case .tls: MQTTError(.tlsFailed, "certificate")
            case .lost, .stable: MQTTError(.connectionLost, "closed")
            }
        }

        var uptime: Duration? {
            switch self {
            case .unreachable, .busy, .tls: nil
            case .lost: .seconds(1)
            case .stable: .seconds(31)
            }
        }
    }

    private func delays(
        _ policy: MQTTReconnectPolicy, after failures: [Failure]
    ) throws -> [Duration] {
        var backoff = MQTTReconnectBackoff(policy: policy, clientID: "x")
        var generator = SystemGenerator()
        return try failures.map { failure in
            guard
                case .retry(_, let delay) = backoff.decide(
                    after: failure.error, uptime: failure.uptime, using: &generator)
            else { throw TestSupportError("it gave up") }
            return delay
        }
    }
}
