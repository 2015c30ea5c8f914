import InMemoryLogging
import Logging
import TestSupport
import Testing

@testable import MQTTClient

/// A subscription that stops reading, and a consumer that waits for data that is not read.
@Suite(.timeLimit(.minutes(1)))
struct SuspensionTests {
    private let clock = ManualLoopClock()

    /// The consumer takes nothing until the broker's answer is read, which waits behind the messages.
    @Test func aConsumerThatWaitsForItsClientIsHelpedAndWarned() async throws {
        let log = InMemoryLogHandler()
        try await withBroker { broker in
            try await withLoop(clock: .manual(clock)) { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.keepAlive = .seconds(5)
                try await MQTTClient.withConnection(
                    configuration: configuration, eventLoop: loop,
                    logger: Logger(label: "test") { _ in log }
                ) { client in
                    let own = try await client.subscribe(to: [.test("a/#")], buffering: .suspend(1))
                    async let halfAnInterval: Void = clock.pass(.milliseconds(2_500))
                    for _ in 0..<2 { _ = try await client.publish(.test("a/1")) }
                    await halfAnInterval
                    withExtendedLifetime(own) {}
                }
            }
        }
        let warnings = log.entries.filter { $0.level == .warning }
        let warning = try #require(warnings.first)
        #expect(warning.message.description.contains("publishWithoutWaiting"))
        #expect(warning.metadata["filters"] == "a/#")
    }

    /// The broker's keep-alive counts where it names one.
    @Test func theBrokersKeepAliveBoundsTheTime() async throws {
        try await withFakeBroker { broker in
            try await withClient(
                broker.port, clock: .manual(clock), configure: { $0.keepAlive = .seconds(600) }
            ) { client in
                let own = try await client.subscribe(to: [.test("a")], buffering: .suspend(1))
                await clock.pass(.seconds(1))
                await broker.signalled()
                withExtendedLifetime(own) {}
            }
        } broker: { broker in
            let serverKeepAliveOfTwoSeconds: [UInt8] = [0x13, 0, 2]
            let peer = try broker.acceptConnected(properties: serverKeepAliveOfTwoSeconds)
            try peer.send(.suback(.v5, peer.read(.subscribe).identifier, codes: [1]))
            try peer.send(.publish(.v5, topic: "a"))
            // It is read once the time is up.
            try peer.send(.publish(.v5, topic: "a", qos: 1, identifier: 1))
            while try peer.read().kind != .puback {}
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    /// There is nothing to hold back before CONNACK, which itself must be read.
    @Test func aPauseBeforeTheConnectionStandsIsNone() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .test(broker.port))
                await broker.signalled()
                try await owner.with { $0.pauseReading() }
                broker.proceed()
                var events = owner.events.makeAsyncIterator()
                _ = try await events.connected()
                _ = try await events.message()
            }
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            broker.signal()
            try broker.awaitProceed()
            try peer.send(.connack(.v5))
            try peer.send(.publish(.v5, topic: "a"))
            _ = peer.readToEnd()
        }
    }

    /// The consumer made room, which was filled before the client was told.
    @Test func roomThatIsFilledAgainDoesNotCount() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                let own = try await client.subscribe(to: [.test("a")], buffering: .suspend(1))
                broker.proceed()
                while await client.pause.full.isEmpty { await Task.yield() }
                let number = try #require(await client.pause.full.first)
                await client.consumed(number)
                #expect(await client.pause.full == [number])
                var messages = own.makeAsyncIterator()
                _ = try await messages.next()
                while await !client.pause.full.isEmpty { await Task.yield() }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.suback(.v5, peer.read(.subscribe).identifier, codes: [1]))
            try broker.awaitProceed()
            try peer.send(.publish(.v5, topic: "a"))
            _ = peer.readToEnd()
        }
    }

    /// A subscription whose time is up holds nothing back any more: neither the next connection, nor
    /// another subscription that wants to.
    @Test func theTimeOfASubscriptionEndsOnce() async throws {
        try await withFakeBroker { broker in
            try await withClient(
                broker.port, clock: .manual(clock),
                configure: {
                    $0.keepAlive = .seconds(10)
                    $0.sessionExpiry = .seconds(60)
                }
            ) { client in
                let stuck = try await client.subscribe(
                    to: [.test("stuck")], buffering: .suspend(1))
                let slow = try await client.subscribe(to: [.test("slow")], buffering: .suspend(1))
                await clock.pass(.seconds(5))
                await client.reached { if case .disconnected = $0 { true } else { false } }
                clock.advance(by: .milliseconds(10))
                broker.proceed()
                await client.reached { if case .connected = $0 { true } else { false } }
                try await client.publish(.test("a"))
                await broker.signalled()
                var messages = slow.makeAsyncIterator()
                for number in 0..<10 {
                    #expect(try await messages.next()?.payload == Array("\(number)".utf8))
                }
                #expect(slow.droppedMessages == 0)
                withExtendedLifetime(stuck) {}
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            for _ in 0..<2 {
                let subscribe = try first.read(.subscribe)
                try first.send(.suback(.v5, subscribe.identifier, codes: [1]))
            }
            try first.send(.publish(.v5, topic: "stuck"))
            // It is read once the time is up.
            try first.send(.publish(.v5, topic: "stuck", qos: 1, identifier: 1))
            while try first.read().kind != .puback {}
            first.cut()
            let second = try broker.accept()
            _ = try second.readConnect()
            try broker.awaitProceed()
            try second.send(.connack(.v5, sessionPresent: true))
            try second.send(.puback(second.read(.publish).publishIdentifier))
            let burst = (0..<10).flatMap { number in
                FakeBrokerPacket.publish(.v5, topic: "slow", payload: Array("\(number)".utf8)).bytes
            }
            try second.send(bytes: burst)
            broker.signal()
            _ = second.readToEnd()
        }
    }
}
