import TestSupport
import Testing

@testable import MQTTClient

/// `MQTT_Long_Duration` of AWS IoT Device Advisor, its basic and its advanced part: sixteen devices live
/// through all of it, each with one client and a broker of its own. Pauses are bounded by 32 ms where
/// a device has 60 s, so that sixty refused attempts stand for more than half an hour.
@Suite(.timeLimit(.minutes(2)))
struct LongDurationTests {
    @Test(arguments: MQTTProtocolVersion.allCases)
    func devicesLiveThroughAllOfIt(version: MQTTProtocolVersion) async throws {
        let pauses = try await withThrowingTaskGroup(of: [Duration].self) { devices in
            for number in 0..<16 {
                devices.addTask { try await Self.live(number: number, version) }
            }
            return try await devices.reduce(into: []) { $0.append($1) }
        }
        // From the third connection that does not last on, a pause begins with the cap.
        let shape = BackoffShape(
            pauses: pauses.map { $0.map { $0 > Self.cap ? $0 - Self.cap : $0 } })
        #expect(shape == .exponentialWithJitter)
    }

    /// 62.5 µs times 2⁹.
    private static let cap = Duration.milliseconds(32)
    private static let breaks = 10

    /// Returns the pauses while the broker broke every connection.
    private static func live(
        number: Int, _ version: MQTTProtocolVersion
    ) async throws -> [Duration] {
        let clock = ManualLoopClock()
        return try await withFakeBroker { broker in
            try await withClient(broker.port, id: "device-\(number)", clock: .manual(clock)) {
                $0.version = version
                $0.cleanStart = false
                $0.sessionExpiry = .seconds(600)
                $0.keepAlive = .seconds(5)
                $0.acknowledgementTimeout = .seconds(2)
                $0.reconnect = MQTTReconnectPolicy(
                    initial: .nanoseconds(62_500), cap: cap, stableAfter: .seconds(1))
            } _: { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    // No pause is waited for.
                    group.addTask {
                        for await state in client.connectionEvents {
                            guard case .disconnected(_, let pause?) = state else { continue }
                            clock.advance(by: max(pause, .microseconds(1)))
                        }
                    }
                    let pauses = try await Device(client: client, broker: broker, clock: clock)
                        .live()
                    group.cancelAll()
                    return pauses
                }
            }
        } broker: { broker in
            try Advisor(broker: broker, id: "device-\(number)").run(seed: UInt64(number))
        }
    }

    // MARK: The device

    private struct Device {
        let client: MQTTClient
        let broker: FakeBroker
        let clock: ManualLoopClock

        func live() async throws -> [Duration] {
            var states = client.connectionEvents.makeAsyncIterator()
            try await client.publish(.test("state", "on", qos: .atMostOnce))
            let news = try await client.subscribe(to: [.test("news", qos: .atMostOnce)])
            let commands = try await client.subscribe(to: [.test("commands")])

            // The first try is left without its PUBACK: the connection is given up over it.
            let message = try MQTTMessage.test("state", "cleaning")
            async let overdue: Void = pass(.seconds(2))
            await #expect(throws: MQTTError.self) { try await client.publish(message) }
            await overdue
            _ = try await states.pause()
            broker.proceed()
            try await states.connected()
            try await client.publish(message)

            var command = commands.makeAsyncIterator()
            #expect(try await command.next()?.payload == Array("small".utf8))
            #expect(try await command.next()?.payload == Advisor.largePayload)
            #expect(try await command.next()?.payload == Array("kept".utf8))
            // A ping, and half of the longer keep-alive without an answer.
            await pass(.seconds(5))
            await pass(.milliseconds(2_500))

            var pauses: [Duration] = []
            while pauses.count < breaks {
                pauses.append(try await states.pause())
                broker.proceed()
            }

            var count = 0
            while let message = try await command.next(), message.payload != Array("end".utf8) {
                #expect(message.payload == Array("\(count)".utf8))
                count += 1
            }
            var latest = news.makeAsyncIterator()
            #expect(try await latest.next()?.payload == Array("\(count)".utf8))
            try await client.publish(.test("state", "off"))
            return pauses
        }

        /// Advances the time when the broker has received the packet that it leaves unanswered.
        private func pass(_ time: Duration) async {
            await broker.signalled()
            clock.advance(by: time)
        }
    }

    // MARK: The broker

    private struct Advisor {
        static let largePayload = [UInt8](repeating: 7, count: 128 << 10)

        let broker: FakeBroker
        let id: String

        func run(seed: UInt64) throws {
            var peer = try playBasicPart()
            peer = try playHappyCases(peer)
            // KEEP_ALIVE: everything is left unanswered. Nothing but PINGREQ comes before the end.
            broker.signal()
            _ = try peer.read(.pingreq)
            broker.signal()
            guard peer.readToEnd().isEmpty else {
                throw TestSupportError("the silent broker was not left after a ping")
            }
            // RECONNECT_BACKOFF.
            for _ in 0..<breaks {
                peer = try accept(sessionPresent: true) { try broker.awaitProceed() }
                peer.cut()
            }
            let count = try playIntermittentConnectivity(seed: seed)
            // LONG_SERVER_DISCONNECT.
            for _ in 0..<60 { try broker.refuse() }
            peer = try accept(sessionPresent: true)
            try peer.send(.publish(peer.version, topic: "news", payload: Array("\(count)".utf8)))
            try command(Array("end".utf8), to: peer)
            try acknowledge(peer.read(.publish), from: peer)
            _ = peer.readToEnd()
        }

        /// CONNECT, PUBLISH and SUBSCRIBE with both QoS, RECONNECT.
        private func playBasicPart() throws -> FakeBrokerPeer {
            var peer = try accept(sessionPresent: false)
            guard try peer.read(.publish).publishQoS == 0 else {
                throw TestSupportError("expected QoS 0")
            }
            try grantSubscriptions(of: peer)
            let publish = try peer.read(.publish)
            broker.signal()
            guard peer.readToEnd().isEmpty else {
                throw TestSupportError("sent again while the connection stood")
            }
            peer = try accept(sessionPresent: true) { try broker.awaitProceed() }
            let again = try peer.read(.publish)
            guard again.topic == publish.topic, again.body.suffix(8) == publish.body.suffix(8)
            else {
                throw TestSupportError("another message came instead of the first one again")
            }
            try acknowledge(again, from: peer)
            peer.cut()
            peer = try accept(sessionPresent: false)
            try grantSubscriptions(of: peer)
            return peer
        }

        /// PUBACK_QOS_1, RECEIVE_LARGE_PAYLOAD, PERSISTENT_SESSION. On MQTT 5 the last connection has
        /// a keep-alive of one second.
        private func playHappyCases(_ first: FakeBrokerPeer) throws -> FakeBrokerPeer {
            try command(Array("small".utf8), to: first)
            try command(Self.largePayload, to: first)
            first.cut()
            let second = try accept(
                sessionPresent: true,
                properties: first.version == .v5 ? [0x13, 0x00, 0x01] : [])
            // A SUBSCRIBE would come in front of the PUBACK.
            try command(Array("kept".utf8), to: second)
            return second
        }

        /// INTERMITTENT_CONNECTIVITY: away at random times for random times. Returns how many commands
        /// came through meanwhile.
        private func playIntermittentConnectivity(seed: UInt64) throws -> Int {
            var numbers = SeededGenerator(seed: seed)
            var count = 0
            for _ in 0..<8 {
                for _ in 0..<Int.random(in: 0...3, using: &numbers) { try broker.refuse() }
                let peer = try accept(sessionPresent: true)
                for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                    try command(Array("\(count)".utf8), to: peer)
                    count += 1
                }
                if Bool.random(using: &numbers) { peer.cut() } else { peer.reset() }
            }
            return count
        }

        // MARK: Steps

        /// Every CONNECT of the device says the same.
        private func accept(
            sessionPresent: Bool, properties: [UInt8] = [], when ready: () throws -> Void = {}
        ) throws -> FakeBrokerPeer {
            let peer = try broker.accept()
            let connect = try peer.readConnect()
            guard connect.clientID == id, connect.keepAlive == 5, !connect.cleanStart else {
                throw TestSupportError("unexpected \(connect)")
            }
            try ready()
            try peer.send(
                .connack(peer.version, sessionPresent: sessionPresent, properties: properties))
            return peer
        }

        private func grantSubscriptions(of peer: FakeBrokerPeer) throws {
            for _ in 0..<2 {
                let subscribe = try peer.read(.subscribe)
                let qos = try #require(subscribe.body.last) & 3
                try peer.send(.suback(peer.version, subscribe.identifier, codes: [qos]))
            }
        }

        private func command(_ payload: [UInt8], to peer: FakeBrokerPeer) throws {
            try peer.send(
                .publish(peer.version, topic: "commands", payload: payload, qos: 1, identifier: 9))
            guard try peer.read(.puback).identifier == 9 else {
                throw TestSupportError("the PUBACK is for another message")
            }
        }

        private func acknowledge(_ publish: FakeBrokerPacket, from peer: FakeBrokerPeer) throws {
            try peer.send(.puback(publish.publishIdentifier))
        }
    }
}

extension AsyncStream.Iterator where Element == MQTTConnectionState {
    /// The pause after the next failure.
    fileprivate mutating func pause() async throws -> Duration {
        while let state = await next(isolation: #isolation) {
            if case .disconnected(_, let pause?) = state { return pause }
        }
        throw TestSupportError("the states ended")
    }

    /// Waits for the next connection.
    fileprivate mutating func connected() async throws {
        while let state = await next(isolation: #isolation) {
            if case .connected = state { return }
        }
        throw TestSupportError("the states ended")
    }
}
