import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// What broker and client see of a network that a simulator shapes.
@Suite(.timeLimit(.minutes(1)))
struct LinkTests {
    private static let wills = "wills/test"

    // MARK: Reset

    /// With and without a relay in between.
    @Test(arguments: [LinkConditions.clear, .having { $0.delay = .nanoseconds(1) }])
    func theBrokerSeesAResetAndTheClientComesBack(conditions: LinkConditions) async throws {
        try await withScript(over: conditions) { owner, events, broker in
            await owner.reset()
            let (error, delay) = try await events.disconnected()
            #expect(error.code == .connectionReset && delay != nil)
            _ = try await events.connected()
            await broker.signalled()
        } broker: { broker in
            let first = try broker.acceptConnected()
            let end = first.end()
            guard end.contains("errno \(ECONNRESET)") else { throw TestSupportError(end) }
            broker.signal()
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    /// Other connections that end within seconds of CONNACK are taken for those of a client id in use twice.
    @Test func resetsAreNoSignOfAnotherClient() async throws {
        try await withConnecting { owner, events, broker in
            for _ in 0..<5 {
                _ = try await events.connected()
                await owner.reset()
                #expect(try await events.disconnected().error.code == .connectionReset)
            }
        } broker: { broker in
            try broker.serve { peer in
                try peer.acceptConnect()
                _ = peer.readToEnd()
            }
        }
    }

    @Test func aResetWithoutAConnectionDoesNothing() async throws {
        try await withLoop { loop in
            let owner = LinkedOwner(on: loop)
            var events = owner.events.makeAsyncIterator()
            await owner.connect(try .quick(try freePort()))
            #expect(try await events.disconnected().error.code == .unreachable)
            await owner.reset()
            #expect(try await events.disconnected().error.code == .unreachable)
        }
    }

    // MARK: Nothing gets through

    /// The broker misses the client by its own keep-alive, and publishes the will.
    @Test func aBlackholeIsMissedByTheKeepAliveOfTheBroker() async throws {
        let will = MQTTWill(try .test(Self.wills, "gone"))
        try await withPeer(hearing: Self.wills, will: will, keepAlive: .seconds(5)) {
            owner, _, peer in
            await owner.change(to: .held)
            var messages = peer.messages.makeAsyncIterator()
            #expect(await messages.next()?.payload == Array("gone".utf8))
        }
    }

    /// The broker's answers are held as well: the client misses it by its own keep-alive.
    @Test func aBlackholeIsMissedByTheKeepAliveOfTheClient() async throws {
        let clock = ManualLoopClock()
        try await withScript(by: clock) { owner, events, broker in
            await owner.change(to: .held)
            clock.advance(by: .seconds(60))
            await clock.pass(.seconds(30))
            let error = try await events.disconnected().error
            #expect(error.code == .keepAliveTimeout)
            broker.proceed()
            await broker.signalled()
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try broker.awaitProceed()
            // The client has given up, and the broker has not heard of it.
            guard !peer.hasInput else { throw TestSupportError("something got through") }
            broker.signal()
        }
    }

    /// As TCP sends again what was lost, what was sent meanwhile arrives at the end, in both directions.
    @Test func whatWasSentIntoABlackholeArrivesAtItsEnd() async throws {
        try await withPeer(hearing: "a") { owner, events, peer in
            _ = try await owner.subscribe(.test("b"))
            await owner.change(to: .held)
            await owner.publish(try .test("a", "held"))
            try await peer.publish("b", "held")
            try await peer.publish("a", "mark")
            var messages = peer.messages.makeAsyncIterator()
            #expect(await messages.next()?.payload == Array("mark".utf8))
            await owner.change(to: .clear)
            #expect(await messages.next()?.payload == Array("held".utf8))
            #expect(try await events.message().payload == Array("held".utf8))
        }
    }

    /// The end of a connection is held like everything else: the broker hears of it at the end.
    @Test func aClientThatLeavesInABlackholeIsThereForItsBroker() async throws {
        try await withScript { owner, events, broker in
            await owner.change(to: .held)
            try await owner.write(.test("a", qos: .atMostOnce))
            await owner.abort()
            broker.proceed()
            await broker.signalled()
            #expect(await owner.relayCount == 1)
            await owner.change(to: .clear)
            await broker.signalled()
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try broker.awaitProceed()
            guard !peer.hasInput else { throw TestSupportError("something got through") }
            broker.signal()
            guard peer.readToEnd() == [.publish] else { throw TestSupportError("no message") }
            broker.signal()
        }
    }

    /// A broker that ends a connection whose client has left ends the relay.
    @Test func nothingIsLeftOfAConnectionThatBothSidesHaveLeft() async throws {
        try await withScript { owner, events, broker in
            await owner.change(to: .held)
            await owner.abort()
            broker.proceed()
            await broker.signalled()
            while await owner.relayCount > 0 { await Task.yield() }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try broker.awaitProceed()
            peer.cut()
            broker.signal()
        }
    }

    /// Of an attempt that nobody answers the broker reads no packet.
    @Test func noAttemptGetsThroughABlackhole() async throws {
        let clock = ManualLoopClock()
        try await withConnecting(over: .held, by: clock) { owner, events, broker in
            await broker.signalled()
            await clock.pass(.seconds(10))
            let error = try await events.disconnected().error
            #expect(error.code == .connectTimeout)
            await broker.signalled()
            while await owner.relayCount > 0 { await Task.yield() }
        } broker: { broker in
            let peer = try broker.accept()
            broker.signal()
            if let packet = try? peer.read() { throw TestSupportError("\(packet) came") }
            broker.signal()
        }
    }

    // MARK: Half open

    /// The broker publishes the will while the client thinks that it is connected; at the end it learns.
    @Test func aHalfOpenConnectionIsGoneForTheBrokerAlone() async throws {
        let will = MQTTWill(try .test(Self.wills, "gone"))
        try await withPeer(hearing: Self.wills, will: will) { owner, events, peer in
            await owner.change(to: .severed)
            var messages = peer.messages.makeAsyncIterator()
            #expect(await messages.next()?.payload == Array("gone".utf8))
            #expect(await owner.isConnected)
            await owner.publish(try .test(Self.wills, "never heard"))
            await owner.change(to: .clear)
            #expect(try await events.disconnected().error.code == .connectionLost)
            _ = try await events.connected()
            try await peer.publish(Self.wills, "mark")
            #expect(await messages.next()?.payload == Array("mark".utf8))
        }
    }

    /// A client that finds out by itself comes back over the same network.
    @Test func aNewConnectionGetsThroughWhileTheOldOneIsHalfOpen() async throws {
        let clock = ManualLoopClock()
        try await withScript(by: clock) { owner, events, broker in
            await owner.change(to: .severed)
            await broker.signalled()
            clock.advance(by: .seconds(60))
            await clock.pass(.seconds(30))
            let error = try await events.disconnected().error
            #expect(error.code == .keepAliveTimeout)
            await clock.pass(.milliseconds(10))
            _ = try await events.connected()
            await owner.change(to: .clear)
            #expect(await owner.isConnected)
            #expect(await owner.relayCount == 0)
        } broker: { broker in
            guard try broker.acceptConnected().end().contains("errno \(ECONNRESET)") else {
                throw TestSupportError("no RST")
            }
            broker.signal()
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    // MARK: Slow ways

    @Test func aDelayedMessageArrivesAfterItsTime() async throws {
        let clock = ManualLoopClock()
        try await withScript(by: clock) { owner, events, broker in
            await owner.change(to: .having { $0.delay = .milliseconds(1234) })
            await owner.publish(try .test("a", qos: .atMostOnce))
            await clock.due(after: .milliseconds(1234))
            broker.proceed()
            await broker.signalled()
            clock.advance(by: .milliseconds(1234))
            await broker.signalled()
            // The answer takes as long.
            await clock.pass(.milliseconds(1234))
            #expect(try await events.message().topic.rawValue == "b")
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try broker.awaitProceed()
            guard !peer.hasInput else { throw TestSupportError("it was there at once") }
            broker.signal()
            _ = try peer.read(.publish)
            broker.signal()
            try peer.send(.publish(.v5, topic: "b", payload: []))
            _ = peer.readToEnd()
        }
    }

    @Test func aSlowLinkTakesItsTimeForEachSegment() async throws {
        let clock = ManualLoopClock()
        try await withScript(by: clock) { owner, events, broker in
            await owner.change(to: .having { $0.bytesPerSecond = 1448 })
            // 2896 bytes on the wire: fixed header 3, topic 3, no properties 1.
            let text = String(repeating: "x", count: 2896 - 7)
            await owner.publish(try .test("a", text, qos: .atMostOnce))
            await clock.pass(.seconds(1))
            await broker.signalled()
            await clock.pass(.seconds(1))
            await broker.signalled()
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(bytes: 1448)
            guard !peer.hasInput else { throw TestSupportError("more than a second carries") }
            broker.signal()
            _ = try peer.read(bytes: 1448)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    /// Two segments of one packet: what comes behind a lost one waits for it, however soon it gets through itself.
    @Test(arguments: [(200, 600), (600, 0), (0, 1400)])
    func lossIsAStallForTheBroker(first: Int, second: Int) async throws {
        let lossy = LinkConditions.having { $0.loss = 0.5 }
        let ends = [max(first, 0), max(first, second)].map { Duration.milliseconds($0) }
        let seed = try #require((0..<10_000).first { Self.stalls(of: lossy, seed: $0) == ends })
        let clock = ManualLoopClock()
        try await withScript(seed: seed, by: clock) { owner, _, broker in
            await owner.change(to: lossy)
            // 2896 bytes on the wire, two segments.
            let text = String(repeating: "x", count: 2 * LinkShaper.segmentSize - 7)
            await owner.publish(try .test("a", text, qos: .atMostOnce))
            if ends[0] > .zero {
                await clock.due(after: ends[0])
                broker.proceed()
                await broker.signalled()
                clock.advance(by: ends[0])
            }
            await broker.signalled()
            if ends[1] > ends[0] { await clock.pass(ends[1] - ends[0]) }
            await broker.signalled()
        } broker: { broker in
            let peer = try broker.acceptConnected()
            if ends[0] > .zero {
                try broker.awaitProceed()
                guard !peer.hasInput else { throw TestSupportError("the first one was not lost") }
                broker.signal()
            }
            _ = try peer.read(bytes: LinkShaper.segmentSize)
            let isHeld = ends[1] > ends[0]
            guard !isHeld || !peer.hasInput else { throw TestSupportError("nothing was lost") }
            broker.signal()
            _ = try peer.read(bytes: LinkShaper.segmentSize)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    /// When two segments that are sent at once arrive over the first relay of a link, as a value says it.
    private static func stalls(of conditions: LinkConditions, seed: UInt64) -> [Duration] {
        var shaper = LinkShaper(conditions, seed: seed &+ 2)
        shaper.add([UInt8](repeating: 0, count: 2 * LinkShaper.segmentSize), at: 0)
        let first = shaper.next ?? 0
        _ = shaper.release(at: first)
        return [first, shaper.next ?? first].map { .nanoseconds(Int64($0)) }
    }

    /// Over TLS, from the middle of a connection on, and in its later connections.
    @Test func tlsGoesThroughAShapedLink() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates) { broker in
            try await withLoop { loop in
                let owner = LinkedOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                var configuration = try MQTTConfiguration.tls(broker.port, certificates)
                configuration.reconnect = MQTTReconnectPolicy(initial: .milliseconds(10))
                configuration.reconnect.delays = .fixed
                await owner.connect(configuration)
                _ = try await events.connected()
                await owner.change(
                    to: .having {
                        $0.delay = .milliseconds(1)
                        $0.jitter = .milliseconds(2)
                        $0.bytesPerSecond = 5_000_000
                    })
                for round in 0..<2 {
                    _ = try await owner.subscribe(.test("a"))
                    for size in [0, 1, 16_384, 200_000] {
                        await owner.publish(try .test("a", String(repeating: "x", count: size)))
                        #expect(try await events.message().payload.count == size)
                    }
                    guard round == 0 else { break }
                    await owner.reset()
                    _ = try await events.disconnected()
                    _ = try await events.connected()
                    #expect(await owner.relayCount == 1)
                }
            }
        }
    }

    /// A goodbye goes the same way: drained, DISCONNECT, and the end of both sides.
    @Test func aConnectionIsClosedInOrderOverAShapedLink() async throws {
        try await withScript(over: .having { $0.delay = .milliseconds(5) }) {
            owner, events, broker in
            let report = await owner.close()
            #expect(report.isDisconnectSent)
            while await owner.relayCount > 0 { await Task.yield() }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            guard peer.readToEnd() == [.disconnect] else { throw TestSupportError("no goodbye") }
            peer.cut()
        }
    }

    /// What is not shaped costs nothing: a connection after the end has no relay.
    @Test func aClearLinkIsNoRelay() async throws {
        try await withScript(over: .having { $0.delay = .milliseconds(1) }) {
            owner, events, broker in
            #expect(await owner.relayCount == 1)
            await owner.change(to: .clear)
            #expect(await owner.relayCount == 1, "it serves its connection to the end")
            await owner.reset()
            _ = try await events.disconnected()
            _ = try await events.connected()
            #expect(await owner.relayCount == 0)
        } broker: { broker in
            try broker.serve { peer in
                try peer.acceptConnect()
                _ = peer.readToEnd()
            }
        }
    }
}
