import TestSupport
import Testing

@testable import MQTTClient

/// The cases of AWS IoT Device Advisor that are about the client, played by a scripted broker. Those of
/// TLS are in `TLSHandshakeTests` and `TLSBrokerTests`; docs/mqtt-conformance.md has the whole list.
@Suite(.timeLimit(.minutes(2)))
struct DeviceAdvisorTests {
    // MARK: Pauses between attempts

    /// `MQTT_Connect_Jitter_Backoff_Retries`, `MQTT_Connect_Exponential_Backoff_Retries`: five attempts
    /// without CONNACK, the sixth is accepted, and again.
    @Test(arguments: MQTTProtocolVersion.allCases)
    func attemptsWithoutConnackAreSpreadMoreAndMore(version: MQTTProtocolVersion) async throws {
        let pauses = try await pauses(
            of: 24, version: version, failures: 12
        ) { broker in
            var round = 0
            try broker.serve { peer in
                round += 1
                _ = try peer.readConnect()
                if round % 6 == 0 {
                    try peer.send(.connack(peer.version))
                    peer.cut()
                } else {
                    broker.signal()
                    _ = peer.readToEnd()
                }
            }
        }
        #expect(pauses.allSatisfy { $0.count == 12 })
        #expect(shape(pauses) == .exponentialWithJitter)
    }

    /// `MQTT_Reconnect_Backoff_Retries_On_Server_Disconnect`: ten times accepted and sent away.
    @Test(arguments: [UInt8(0x8D), 0xA0])
    func disconnectsByTheServerAreFollowedByLongerAndLongerPauses(reason: UInt8) async throws {
        let pauses = try await pauses(of: 24, version: .v5, failures: 10) { broker in
            try broker.serve { peer in
                try peer.acceptConnect()
                try peer.send(.disconnect(reason))
                _ = peer.readToEnd()
            }
        }
        #expect(shape(pauses) == .exponentialWithJitter)
    }

    /// `MQTT_Reconnect_Backoff_Retries_On_Unstable_Connection`: CONNACK, and the connection is gone.
    @Test(arguments: MQTTProtocolVersion.allCases)
    func connectionsThatDoNotLastAreFollowedByLongerAndLongerPauses(
        version: MQTTProtocolVersion
    ) async throws {
        let pauses = try await pauses(of: 24, version: version, failures: 10) { broker in
            try broker.serve { peer in
                try peer.acceptConnect()
                peer.cut()
            }
        }
        #expect(shape(pauses) == .exponentialWithJitter)
        // From the third on a duplicate client id is suspected, and every pause begins with the cap.
        #expect(pauses.allSatisfy { $0[2...].allSatisfy { $0 >= Self.cap } })
    }

    /// Not AWS's: a message that the library refuses, retained at the broker, would come with every
    /// connection. Bytes that are no UTF-8, NUL, and a control character.
    @Test(arguments: [[UInt8](arrayLiteral: 0x61, 0xFF), [0x61, 0x00], [0x61, 0x07]])
    func poisonedTopicsAreFollowedByLongerAndLongerPauses(topic: [UInt8]) async throws {
        let pauses = try await pauses(of: 24, version: .v3_1_1, failures: 10) { broker in
            try broker.serve { peer in
                try peer.acceptConnect()
                try peer.send(
                    FakeBrokerPacket(header: 0x30, body: [0, UInt8(topic.count)] + topic))
                _ = peer.readToEnd()
            }
        }
        #expect(shape(pauses) == .exponentialWithJitter)
    }

    // MARK: Acknowledgements

    /// `MQTT_Client_Puback_Qos1`: 0 bytes to 128 KiB.
    @Test(arguments: MQTTProtocolVersion.allCases, [0, 1, 128 << 10])
    func messagesAreAcknowledged(version: MQTTProtocolVersion, size: Int) async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.version = version
            } body: { _, events in
                let message = try await events.message()
                #expect(message.payload == [UInt8](repeating: 7, count: size))
                var acknowledged = broker.signals.makeAsyncIterator()
                #expect(await acknowledged.next() != nil)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let payload = [UInt8](repeating: 7, count: size)
            try peer.send(
                .publish(peer.version, topic: "in", payload: payload, qos: 1, identifier: 77))
            guard try peer.read(.puback).identifier == 77 else {
                throw TestSupportError("the PUBACK is for another message")
            }
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    /// `MQTT_Publish_Retry_No_Puback`. Sending again on a live connection would break [MQTT-4.4.0-1]: the
    /// connection is given up, and the application, which is told, sends again on the next one.
    @Test(arguments: MQTTProtocolVersion.allCases)
    func aMessageWithoutPubackIsSentAgainOnANewConnection(
        version: MQTTProtocolVersion
    ) async throws {
        let reason = try await secondAnswer(version, to: .publish) { owner in
            try await owner.publish(.test("a", "once"))
        } broker: { peer, publish in
            try peer.send(.puback(publish.publishIdentifier))
        }
        #expect(reason == .success)
    }

    /// `MQTT_Subscribe_Retry_No_Suback`, likewise.
    @Test(arguments: MQTTProtocolVersion.allCases)
    func aSubscriptionWithoutSubackIsAskedForAgainOnANewConnection(
        version: MQTTProtocolVersion
    ) async throws {
        let reasons = try await secondAnswer(version, to: .subscribe) { owner in
            try await owner.subscribe([.test("a")])
        } broker: { peer, subscribe in
            try peer.send(.suback(peer.version, subscribe.identifier, codes: [1]))
        }
        #expect(reasons == [.grantedQoS1])
    }

    /// The result of a call that was unanswered when its connection ended.
    private func secondAnswer<Answer>(
        _ version: MQTTProtocolVersion, to kind: FakeBrokerPacket.Kind,
        call: (TestOwner) async throws -> Result<Answer, MQTTError>,
        broker answer: @escaping @Sendable (FakeBrokerPeer, FakeBrokerPacket) throws -> Void
    ) async throws -> Answer {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.version = version
                $0.acknowledgementTimeout = .milliseconds(300)
            } body: { owner, events in
                let first = try await call(owner)
                #expect(throws: MQTTError.self) { try first.get() }
                #expect(try await events.disconnected().error.code == .acknowledgementTimeout)
                _ = try await events.connected()
                return try await call(owner).get()
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            guard first.readToEnd() == [kind] else {
                throw TestSupportError("sent again while the connection stood")
            }
            let second = try broker.acceptConnected()
            try answer(second, second.read(kind))
            _ = second.readToEnd()
        }
    }

    // MARK: Sessions

    /// `MQTT_Persistent_Session_Happy_Case`: the session is there, so nothing is subscribed again and what
    /// the broker has kept is acknowledged.
    @Test(arguments: MQTTProtocolVersion.allCases)
    func aKeptSessionIsNotSubscribedAgain(version: MQTTProtocolVersion) async throws {
        try await withSession(version, isKept: true) { client, subscription in
            var messages = subscription.makeAsyncIterator()
            let message = try await messages.next()
            #expect(message?.payload == Array("kept".utf8))
            // Were there a SUBSCRIBE, the script would find it in front of this.
            try await client.publish(.test("after"))
        } afterwards: { peer in
            try peer.send(
                .publish(
                    peer.version, topic: "a", payload: Array("kept".utf8), qos: 1, identifier: 5))
            _ = try peer.read(.puback)
        }
    }

    /// `MQTT_Expired_Persistent_Session`: the session is gone, so everything is subscribed again.
    @Test(arguments: MQTTProtocolVersion.allCases)
    func anExpiredSessionIsSubscribedAgain(version: MQTTProtocolVersion) async throws {
        try await withSession(version, isKept: false) { client, subscription in
            var messages = subscription.makeAsyncIterator()
            let message = try await messages.next()
            #expect(message?.payload == Array("new".utf8))
            try await client.publish(.test("after"))
        } afterwards: { peer in
            let subscribe = try peer.read(.subscribe)
            try peer.send(.suback(peer.version, subscribe.identifier, codes: [1]))
            try peer.send(.publish(peer.version, topic: "a", payload: Array("new".utf8)))
        }
    }

    // MARK: Material

    /// 0.25 ms times 2⁹.
    private static let cap = Duration.milliseconds(128)

    /// The pauses that clients announce, each with a clock of its own, which passes over them, and a broker
    /// of its own that follows the script. When it signals, the time for connecting is over.
    private func pauses(
        of clients: Int, version: MQTTProtocolVersion, failures: Int,
        script: @escaping @Sendable (FakeBroker) throws -> Void
    ) async throws -> [[Duration]] {
        try await withThrowingTaskGroup(of: [Duration].self) { group in
            for number in 0..<clients {
                group.addTask {
                    try await withFakeBroker { broker in
                        var configuration = try MQTTConfiguration.test(
                            broker.port, id: "\(number)", version: version)
                        configuration.reconnect = MQTTReconnectPolicy(
                            initial: .microseconds(250), cap: Self.cap)
                        return try await Self.pauses(configuration, failures, broker)
                    } broker: {
                        try script($0)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func pauses(
        _ configuration: MQTTConfiguration, _ count: Int, _ broker: FakeBroker
    ) async throws -> [Duration] {
        let clock = ManualLoopClock()
        return try await withLoop(clock: .manual(clock)) { loop in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let timeout = configuration.connectTimeout
                group.addTask { for await _ in broker.signals { clock.advance(by: timeout) } }
                let owner = TestOwner(on: loop)
                await owner.connect(configuration)
                var pauses: [Duration] = []
                for await event in owner.events {
                    guard case .disconnected(let error, let delay) = event else { continue }
                    guard let delay else { throw error }
                    pauses.append(delay)
                    if pauses.count == count { break }
                    // No pause is shorter than this.
                    clock.advance(by: max(delay, .microseconds(1)))
                }
                await owner.close()
                group.cancelAll()
                return pauses
            }
        }
    }

    /// The part of a delay above the minimum for a suspected duplicate, up to the cap.
    private func shape(_ pauses: [[Duration]]) -> BackoffShape? {
        BackoffShape(
            pauses: pauses.map { run in
                run[..<10].map { $0 > Self.cap ? $0 - Self.cap : $0 }
            })
    }

    /// A client with a session whose connection breaks after it has subscribed, and comes back.
    private func withSession(
        _ version: MQTTProtocolVersion, isKept: Bool,
        _ body: (MQTTClient, MQTTSubscription) async throws -> Void,
        afterwards script: @escaping @Sendable (FakeBrokerPeer) throws -> Void
    ) async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port, version: version)
                configuration.cleanStart = false
                configuration.sessionExpiry = .seconds(600)
                configuration.reconnect.initial = .milliseconds(1)
                try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
                    client in
                    let subscription = try await client.subscribe(to: [.test("a")])
                    broker.proceed()
                    try await body(client, subscription)
                }
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            let subscribe = try first.read(.subscribe)
            try first.send(.suback(first.version, subscribe.identifier, codes: [1]))
            try broker.awaitProceed()
            first.cut()
            let second = try broker.acceptConnected(sessionPresent: isKept)
            try script(second)
            let publish = try second.read(.publish)
            try second.send(.puback(publish.publishIdentifier))
            _ = second.readToEnd()
        }
    }
}
