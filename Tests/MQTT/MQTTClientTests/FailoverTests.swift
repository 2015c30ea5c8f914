import TestSupport
import Testing

@testable import MQTTClient

/// Several brokers, deadlines of an attempt, and the budget of a loop.
@Suite(.timeLimit(.minutes(1)))
struct FailoverTests {
    /// The next address of the broker may be of the right family.
    @Test func aSourceAddressOfTheOtherFamilyIsAboutTheAddress() async throws {
        try await withFakeBroker { broker in
            var configuration = try MQTTConfiguration.test(broker.port)
            configuration.sourceAddress = "::1"
            #expect(try await firstFailure(of: configuration).error.code == .unreachable)
        } broker: { broker in
            _ = try broker.accept()
        }
    }

    @Test func anUnreachableBrokerIsFollowedByTheNext() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(freePort())
                configuration.reconnect.initial = .milliseconds(1)
                configuration.fallbackBrokers = [try .init(host: "127.0.0.1", port: broker.port)]
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(configuration)
                let (error, _) = try await events.disconnected()
                #expect(error.code == .unreachable)
                #expect(error.message.contains(configuration.broker.description))
                #expect(try await events.connected().broker.port == broker.port)
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func aBrokenConnectionGoesOnAtTheNextBroker() async throws {
        try await withTwoBrokers(stableAfter: .seconds(30)) { events, first, second in
            #expect(try await events.connected().broker.port == first)
            _ = try await events.disconnected()
            #expect(try await events.connected().broker.port == second)
            _ = try await events.disconnected()
            #expect(try await events.connected().broker.port == first)
        }
    }

    @Test func aStableConnectionIsSoughtAtTheFirstBrokerAgain() async throws {
        try await withTwoBrokers(stableAfter: .zero) { events, first, _ in
            for _ in 0..<2 {
                #expect(try await events.connected().broker.port == first)
                _ = try await events.disconnected()
            }
        }
    }

    /// Brokers that do not share their sessions: what was subscribed at the second one is unknown to the
    /// first, whose older session is still there.
    @Test func theSessionOfAnotherBrokerIsNotTakenForTheLatest() async throws {
        try await withFakeBroker { first in
            try await withFakeBroker { second in
                try await withClient(
                    first.port,
                    configure: {
                        $0.sessionExpiry = .seconds(60)
                        $0.fallbackBrokers = [$0.broker]
                        $0.fallbackBrokers[0].port = second.port
                    }
                ) { client in
                    let early = try await client.subscribe(to: [.test("early")])
                    first.proceed()
                    await second.signalled()
                    let late = try await client.subscribe(to: [.test("late")])
                    second.proceed()
                    var messages = late.makeAsyncIterator()
                    #expect(try await messages.next()?.topic.rawValue == "late")
                    withExtendedLifetime(early) {}
                }
            } broker: { broker in
                let peer = try broker.acceptConnected()
                _ = try peer.acceptSubscribe()
                broker.signal()
                _ = try peer.acceptSubscribe()
                try broker.awaitProceed()
                peer.cut()
            }
        } broker: { broker in
            let before = try broker.acceptConnected()
            _ = try before.acceptSubscribe()
            try broker.awaitProceed()
            before.cut()
            let after = try broker.acceptConnected(sessionPresent: true)
            for _ in 0..<2 { _ = try after.acceptSubscribe() }
            try after.send(.publish(.v5, topic: "late"))
            _ = after.readToEnd()
        }
    }

    /// A broker that does not answer uses up its own timeout, not that of the next one.
    @Test func connectReachesTheNextBroker() async throws {
        try await withFakeBroker { mute in
            try await withFakeBroker { broker in
                let clock = ManualLoopClock()
                try await withLoop(clock: .manual(clock)) { loop in
                    var configuration = try MQTTConfiguration.test(mute.port)
                    configuration.connectTimeout = .seconds(1)
                    configuration.reconnect.initial = .milliseconds(1)
                    configuration.fallbackBrokers = [
                        try .init(host: "127.0.0.1", port: broker.port)
                    ]
                    let client = MQTTClient(configuration: configuration, eventLoop: loop)
                    async let pauses: Void = {
                        await mute.signalled()
                        clock.advance(by: .seconds(1))
                        await client.reached { if case .disconnected = $0 { true } else { false } }
                        clock.advance(by: .milliseconds(1))
                    }()
                    let info = try await client.connect()
                    #expect(info.broker.port == broker.port)
                    await pauses
                    await client.disconnect()
                }
            } broker: { broker in
                _ = try broker.acceptConnected().readToEnd()
            }
        } broker: { mute in
            let peer = try mute.accept()
            _ = try peer.readConnect()
            mute.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func refusalsThatAreFinalLookForNoOtherBroker() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.fallbackBrokers = [try .init(host: "127.0.0.1", port: freePort())]
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(configuration)
                let (error, delay) = try await events.disconnected()
                #expect(error.reasonCode == .badUserNameOrPassword && delay == nil)
            }
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            try peer.send(.connack(.v5, code: 0x86))
            _ = peer.readToEnd()
        }
    }

    @Test func eachBrokerMustProveItsOwnName() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSPeer(certificates, certificate: "wrong-host") { peer in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.tls(
                    freePort(), certificates, host: "127.0.0.1")
                configuration.reconnect = MQTTReconnectPolicy(initial: .milliseconds(1))
                configuration.fallbackBrokers = [try .init(host: "localhost", port: peer.port)]
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(configuration)
                #expect(try await events.disconnected().error.code == .unreachable)
                let (error, _) = try await events.disconnected()
                #expect(error.code == .tlsFailed)
                #expect(error.message.contains("not for localhost"), "\(error.message)")
                await owner.drop()
            }
        }
    }

    @Test func oneSecureAddressMakesAllSecure() throws {
        let configuration = MQTTConfiguration(
            broker: try .init(url: "mqtt://a.example"),
            fallbackBrokers: [try .init(url: "mqtts://b.example")],
            clientID: try MQTTClientID("x"))
        #expect(configuration.security.tls != nil)
        #expect(configuration.broker.usesTLS)
        #expect(configuration.fallbackBrokers.map(\.usesTLS) == [true])
    }

    @Test func unusableFallbacksAreRefused() throws {
        var configuration = try MQTTConfiguration.names(["a.example", "b.example"])
        #expect(throws: Never.self) { try configuration.validate() }
        configuration.fallbackBrokers[0].host = "b example"
        #expect(throws: MQTTError.self) { try configuration.validate() }
    }

    // MARK: Finding addresses

    @Test func aResolverThatHangsEndsAtTheDeadline() async throws {
        try await withLoop { loop in
            let resolver = ScriptedResolver()
            let owner = TestOwner(on: loop)
            await owner.use(resolver)
            var events = owner.events.makeAsyncIterator()
            await owner.connect(try .names(["hanging.example"]))
            let (error, delay) = try await events.disconnected()
            #expect(error.code == .connectTimeout && delay != nil)
            #expect(error.message.contains("its address was not found"))
        }
    }

    @Test func anAddressThatComesLateIsNotTakenForAnotherBroker() async throws {
        try await withLoop { loop in
            let resolver = ScriptedResolver()
            let owner = TestOwner(on: loop)
            await owner.use(resolver)
            var events = owner.events.makeAsyncIterator()
            await owner.connect(try .names(["slow.example", "other.example"]))
            #expect(await resolver.question() == "slow.example")
            _ = try await events.disconnected()
            #expect(await resolver.question() == "other.example")
            resolver.answer("slow.example", .success(["127.0.0.1"]))
            resolver.answer("other.example", .failure(MQTTError(.nameResolutionFailed, "none")))
            let (error, _) = try await events.disconnected()
            #expect(error.code == .nameResolutionFailed, "\(error)")
        }
    }

    // MARK: Deadlines

    /// Not one timeout for each address.
    @Test func theAddressesOfABrokerShareItsTime() async throws {
        try await withFakeBroker { mute in
            let clock = ManualLoopClock()
            try await withLoop(clock: .manual(clock)) { loop in
                let resolver = ScriptedResolver()
                let owner = TestOwner(on: loop)
                await owner.use(resolver)
                var events = owner.events.makeAsyncIterator()
                var configuration = try MQTTConfiguration.names(["many.example"])
                configuration.broker.port = mute.port
                await owner.connect(configuration)
                #expect(await resolver.question() == "many.example")
                resolver.answer(
                    "many.example", .success(Array(repeating: "127.0.0.1", count: 4)))
                for _ in 0..<4 {
                    await mute.signalled()
                    clock.advance(by: configuration.connectTimeout / 4)
                }
                let (error, _) = try await events.disconnected()
                #expect(error.code == .connectTimeout)
            }
        } broker: { mute in
            for _ in 0..<4 {
                let peer = try mute.accept()
                _ = try peer.readConnect()
                mute.signal()
            }
        }
    }

    @Test func theTimeoutSaysThatNoConnackCame() async throws {
        try await withFakeBroker { broker in
            let error = try await timeout(of: .test(broker.port))
            #expect(error.message.contains("no CONNACK came"), "\(error.message)")
        } broker: { broker in
            _ = try broker.accept().readToEnd()
        }
    }

    @Test func theTimeoutSaysThatTheHandshakeWasNotFinished() async throws {
        let certificates = try await TestCertificates.made()
        let mute = try LoopbackListener()
        defer { mute.close() }
        let error = try await timeout(of: .tls(mute.port, certificates))
        #expect(error.message.contains("TLS handshake"), "\(error.message)")
    }

    @Test func theTimeoutSaysThatNoTCPConnectionCameAbout() async throws {
        let mute = try LoopbackListener(backlog: 0)
        defer { mute.close() }
        try await withLoop { loop in
            // The first one fills the backlog; of the others not even a SYN is answered.
            let owners = (0..<4).map { _ in TestOwner(on: loop) }
            var configuration = try MQTTConfiguration.test(mute.port)
            configuration.connectTimeout = .milliseconds(300)
            for owner in owners { await owner.connect(configuration) }
            var messages: [String] = []
            for owner in owners {
                var events = owner.events.makeAsyncIterator()
                messages.append(try await events.disconnected().error.message)
            }
            #expect(messages.contains { $0.contains("no TCP connection") }, "\(messages)")
        }
    }

    // MARK: The budget of a loop

    @Test func thoseWhoReturnTogetherKeepToTheBudget() async throws {
        let count = 6
        try await withFakeBroker { broker in
            let loop = try MQTTEventLoop(
                label: "budget", reconnectBudget: .init(perSecond: 50, burst: 1))
            let owners = (0..<count).map { _ in TestOwner(on: loop) }
            for (number, owner) in owners.enumerated() {
                var configuration = try MQTTConfiguration.test(broker.port, id: "\(number)")
                configuration.reconnect.initial = .nanoseconds(1)
                await owner.connect(configuration)
                try await owner.waitUntilConnected()
            }
            let clock = ContinuousClock()
            let start = clock.now
            broker.proceed()
            for owner in owners { try await owner.waitUntilConnected() }
            // A lower bound: it holds on the slowest machine too.
            #expect(clock.now - start >= .milliseconds(20 * (count - 1)))
            await loop.shutdown()
        } broker: { broker in
            let peers = try (0..<count).map { _ in try broker.acceptConnected() }
            try broker.awaitProceed()
            for peer in peers { peer.cut() }
            let returned = try (0..<count).map { _ in try broker.acceptConnected() }
            for peer in returned { _ = peer.readToEnd() }
        }
    }

    // MARK: Material

    /// A client of two brokers, both of which accept it and hang up, again and again.
    private func withTwoBrokers(
        stableAfter: Duration,
        _ body: (inout AsyncStream<MQTTConnectionEvent>.Iterator, UInt16, UInt16) async throws ->
            Void
    ) async throws {
        let script: @Sendable (FakeBroker) throws -> Void = { broker in
            try broker.serve { peer in
                try peer.acceptConnect()
                peer.cut()
            }
        }
        try await withFakeBroker { first in
            try await withFakeBroker { second in
                try await withLoop { loop in
                    var configuration = try MQTTConfiguration.test(first.port)
                    configuration.fallbackBrokers = [
                        try .init(host: "127.0.0.1", port: second.port)
                    ]
                    configuration.reconnect = MQTTReconnectPolicy(
                        initial: .milliseconds(1), stableAfter: stableAfter)
                    let owner = TestOwner(on: loop)
                    var events = owner.events.makeAsyncIterator()
                    await owner.connect(configuration)
                    try await body(&events, first.port, second.port)
                }
            } broker: {
                try script($0)
            }
        } broker: {
            try script($0)
        }
    }

    private func timeout(of configuration: MQTTConfiguration) async throws -> MQTTError {
        try await withLoop { loop in
            var configuration = configuration
            configuration.connectTimeout = .milliseconds(200)
            let owner = TestOwner(on: loop)
            var events = owner.events.makeAsyncIterator()
            await owner.connect(configuration)
            let (error, _) = try await events.disconnected()
            #expect(error.code == .connectTimeout)
            return error
        }
    }
}
