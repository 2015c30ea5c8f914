import TestSupport
import Testing

@testable import MQTTClient

/// How a client handles a session that the broker has kept or lost.
@Suite(.timeLimit(.minutes(1)))
struct SessionTests {
    @Test(arguments: MQTTProtocolVersion.allCases)
    func aLostSessionIsSubscribedAgain(version: MQTTProtocolVersion) async throws {
        try await withFakeBroker { broker in
            try await withClient(broker, version: version) { client in
                let subscription = try await client.subscribe(to: [.test("a/+")])
                var messages = subscription.makeAsyncIterator()
                #expect(try await messages.next()?.topic.rawValue == "a/before")
                #expect(try await messages.next()?.topic.rawValue == "a/after")
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            let asked = try first.acceptSubscribe()
            try first.send(.publish(version.fake, topic: "a/before"))
            first.cut()
            let second = try broker.acceptConnected()
            let again = try second.acceptSubscribe()
            // The packet identifiers may differ, what is asked for may not.
            guard again.body.dropFirst(2) == asked.body.dropFirst(2) else {
                throw TestSupportError("not renewed: \(again), was \(asked)")
            }
            try second.send(.publish(version.fake, topic: "a/after"))
            _ = second.readToEnd()
        }
    }

    @Test func aKeptSessionIsResumedWithoutASUBSCRIBE() async throws {
        try await withFakeBroker { broker in
            try await withKeptSession(broker) { client, messages in
                let message = try await messages.next()
                #expect(message?.payload == [1])
                #expect(try await client.publish(.test("b")) == .success)
            }
        } broker: { broker in
            let first = try broker.accept()
            guard try first.readConnect().cleanStart else { throw TestSupportError("not clean") }
            try first.send(.connack(.v5))
            _ = try first.acceptSubscribe()
            first.cut()
            let second = try broker.accept()
            guard try !second.readConnect().cleanStart else { throw TestSupportError("clean") }
            try second.send(.connack(.v5, sessionPresent: true))
            try second.send(.publish(.v5, topic: "a", payload: [1]))
            // Any SUBSCRIBE would come before this.
            try second.send(.puback(second.read(.publish).publishIdentifier))
            _ = second.readToEnd()
        }
    }

    @Test(arguments: [(MQTTProtocolVersion.v5, 0), (.v3_1_1, 60)])
    func withoutAnExpiryEveryConnectionBeginsAfresh(
        version: MQTTProtocolVersion, expiry: Int
    ) async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.version = version
                $0.sessionExpiry = expiry > 0 ? .seconds(expiry) : nil
            } body: { _, events in
                _ = try await events.disconnected()
                _ = try await events.connected()
            }
        } broker: { broker in
            for round in 0..<2 {
                let peer = try broker.accept()
                guard try peer.readConnect().cleanStart else { throw TestSupportError("kept") }
                try peer.send(.connack(peer.version))
                if round == 0 { peer.cut() } else { _ = peer.readToEnd() }
            }
        }
    }

    @Test func theExpiryThatTheBrokerGrantsCounts() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.sessionExpiry = .seconds(60)
            } body: { _, events in
                _ = try await events.disconnected()
                _ = try await events.connected()
            }
        } broker: { broker in
            let none = FakeBrokerProperty.number(0x11, 0).bytes
            try broker.acceptConnected(properties: none).cut()
            let second = try broker.accept()
            guard try second.readConnect().cleanStart else { throw TestSupportError("not clean") }
            try second.send(.connack(.v5))
            _ = second.readToEnd()
        }
    }

    @Test func aRenewalThatTheConnectionBrokeIsMadeGood() async throws {
        try await withFakeBroker { broker in
            try await withKeptSession(broker) { _, messages in
                let message = try await messages.next()
                #expect(message?.payload == [3])
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            _ = try first.acceptSubscribe()
            first.cut()
            let second = try broker.acceptConnected()
            _ = try second.read(.subscribe)
            second.cut()
            // The session of the second connection: the broker has not seen its SUBSCRIBE.
            let third = try broker.acceptConnected(sessionPresent: true)
            _ = try third.acceptSubscribe()
            try third.send(.publish(.v5, topic: "a", payload: [3]))
            _ = third.readToEnd()
        }
    }

    @Test func afterAFinalFailureTheClientBeginsAnew() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) {
                $0.sessionExpiry = .seconds(60)
            } body: { client in
                let lost = try await client.subscribe(to: [.test("a")])
                broker.proceed()
                await #expect(throws: MQTTError.self) { for try await _ in lost {} }
                let info = try await client.connect()
                #expect(!info.sessionPresent)
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            _ = try first.acceptSubscribe()
            try broker.awaitProceed()
            try first.send(.disconnect(0x8E))
            let second = try broker.accept()
            guard try second.readConnect().cleanStart else { throw TestSupportError("not clean") }
            try second.send(.connack(.v5))
            _ = second.readToEnd()
        }
    }

    /// The broker has come back as one that knows no wildcards.
    @Test func aRenewalThatTheBrokerCannotGrantEndsTheSubscription() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) { _ in
            } body: { client in
                let lost = try await client.subscribe(to: [.test("a/#")])
                let kept = try await client.subscribe(to: [.test("b")])
                broker.proceed()
                let error = await #expect(throws: MQTTError.self) {
                    for try await _ in lost {}
                }
                #expect(error?.code == .unsupported)
                var messages = kept.makeAsyncIterator()
                #expect(try await messages.next()?.topic.rawValue == "b")
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            for _ in 0..<2 { _ = try first.acceptSubscribe() }
            try broker.awaitProceed()
            first.cut()
            let wildcardsAreNotAvailable: [UInt8] = [0x28, 0]
            let second = try broker.acceptConnected(properties: wildcardsAreNotAvailable)
            _ = try second.acceptSubscribe()
            try second.send(.publish(.v5, topic: "b"))
            _ = second.readToEnd()
        }
    }

    @Test func whatEndedMeanwhileIsTakenOutOfTheSession() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) {
                $0.sessionExpiry = .seconds(60)
            } body: { client in
                let kept = try await client.subscribe(to: [.test("kept")])
                let ended = try await client.subscribe(to: [.test("ended"), .test("kept")])
                broker.proceed()
                var signals = broker.signals.makeAsyncIterator()
                _ = await signals.next()
                ended.cancel()
                // After the end of the subscription on the loop.
                #expect(await client.isConnected == false)
                broker.proceed()
                var messages = kept.makeAsyncIterator()
                #expect(try await messages.next()?.topic.rawValue == "kept")
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            for _ in 0..<3 { _ = try first.acceptSubscribe() }
            try broker.awaitProceed()
            first.cut()
            let second = try broker.accept()
            _ = try second.readConnect()
            broker.signal()
            try broker.awaitProceed()
            try second.send(.connack(.v5, sessionPresent: true))
            let packet = try second.read(.unsubscribe)
            guard try packet.filters().map(\.filter) == ["ended"] else {
                throw TestSupportError("unsubscribed too much: \(packet)")
            }
            try second.send(.unsuback(.v5, packet.identifier, codes: [0]))
            try second.send(.publish(.v5, topic: "kept"))
            _ = second.readToEnd()
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func aSessionThatNobodyAskedForIsAProtocolViolation(version: MQTTProtocolVersion) async throws {
        try await withFakeBroker { broker in
            let failure = try await firstFailure(of: .test(broker.port, version: version))
            #expect(failure.error.code == .protocolViolation)
        } broker: { broker in
            _ = try broker.acceptConnected(sessionPresent: true).readToEnd()
        }
    }

    /// What else such a session holds is not known. With the identifier of a filter that overlaps, the
    /// library would end the connection over a message that brings both.
    @Test func theSessionOfAnEarlierProcessGetsNoIdentifiers() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) {
                $0.cleanStart = false
                $0.sessionExpiry = .seconds(60)
            } body: { client in
                let mine = try await client.subscribe(to: [.test("mine")])
                broker.proceed()
                var messages = mine.makeAsyncIterator()
                #expect(try await messages.next()?.payload == [1])
            }
        } broker: { broker in
            // Behind the packet identifier stands the length of the properties.
            let earlier = try broker.acceptConnected(sessionPresent: true)
            guard try earlier.acceptSubscribe().body[2] == 0 else {
                throw TestSupportError("an identifier")
            }
            try broker.awaitProceed()
            earlier.cut()
            let own = try broker.acceptConnected()
            guard try own.acceptSubscribe().body[2] > 0 else {
                throw TestSupportError("no identifier")
            }
            try own.send(.publish(.v5, topic: "mine", payload: [1]))
            _ = own.readToEnd()
        }
    }

    @Test func identifiersOfAnEarlierProcessNameNothingElse() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker) {
                $0.cleanStart = false
                $0.sessionExpiry = .seconds(60)
            } body: { client in
                let mine = try await client.subscribe(to: [.test("mine")])
                let other = try await client.subscribe(to: [.test("other")])
                var messages = mine.makeAsyncIterator()
                #expect(try await messages.next()?.topic.rawValue == "mine")
                var others = other.makeAsyncIterator()
                #expect(try await others.next()?.payload == [2])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(sessionPresent: true)
            _ = try peer.acceptSubscribe()
            _ = try peer.acceptSubscribe()
            // Small identifiers, as an earlier process would have given.
            for (topic, identifier) in [("mine", UInt32(2)), ("other", 1)] {
                try peer.send(
                    .publish(
                        .v5, topic: topic, payload: [2],
                        properties: FakeBrokerProperty.number(0x0B, identifier).bytes))
            }
            _ = peer.readToEnd()
        }
    }

    // MARK: Real mosquitto

    @Test func aRestartedBrokerWithItsSessionsGoesOn() async throws {
        let folder = try TemporaryFolder()
        let lines = "persistence true\npersistence_location \(folder.path)/"
        try await withBroker(lines) { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port, id: "sleeper")
                // Mosquitto 2.0 writes only such sessions to its disk.
                configuration.cleanStart = false
                configuration.sessionExpiry = .seconds(600)
                configuration.reconnect = .init(initial: .milliseconds(20))
                try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
                    client in
                    let subscription = try await client.subscribe(to: [.test("a/#")])
                    var connections = client.connections.makeAsyncIterator()
                    #expect(await connections.next()?.sessionPresent == false)
                    await broker.stop()
                    try await broker.start()
                    #expect(await connections.next()?.sessionPresent == true)
                    try await client.publish(.test("a/1", "kept"))
                    var messages = subscription.makeAsyncIterator()
                    #expect(try await messages.next()?.payload == Array("kept".utf8))
                }
            }
        }
    }

    @Test func whatAFrozenBrokerNeverTookIsNotSentLater() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port, id: "sender")
                configuration.sessionExpiry = .seconds(600)
                configuration.reconnect = .init(initial: .milliseconds(20))
                try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
                    client in
                    let subscription = try await client.subscribe(to: [.test("a")])
                    var connections = client.connections.makeAsyncIterator()
                    _ = await connections.next()
                    broker.freeze()
                    async let stale = client.publish(.test("a", "stale"))
                    await broker.kill()
                    do {
                        _ = try await stale
                        Issue.record("nobody has acknowledged it")
                    } catch {
                        let code = (error as? MQTTError)?.code
                        #expect(code == .connectionLost || code == .notConnected)
                    }
                    try await broker.start()
                    #expect(await connections.next()?.sessionPresent == false)
                    try await client.publish(.test("a", "fresh"))
                    var messages = subscription.makeAsyncIterator()
                    #expect(try await messages.next()?.payload == Array("fresh".utf8))
                }
            }
        }
    }
}

/// Runs `body` with a client whose session the broker keeps for a minute, and its messages of `a`.
private func withKeptSession(
    _ broker: FakeBroker,
    body: (MQTTClient, inout MQTTSubscription.Iterator) async throws -> Void
) async throws {
    try await withClient(broker) {
        $0.sessionExpiry = .seconds(60)
    } body: { client in
        let subscription = try await client.subscribe(to: [.test("a")])
        var messages = subscription.makeAsyncIterator()
        try await body(client, &messages)
    }
}

/// Runs `body` with a client that is connected to the broker and reconnects at once.
func withClient<Value>(
    _ broker: FakeBroker, version: MQTTProtocolVersion = .v5,
    configure: (inout MQTTConfiguration) -> Void = { _ in },
    body: (MQTTClient) async throws -> Value
) async throws -> Value {
    try await withLoop { loop in
        var configuration = try MQTTConfiguration.test(broker.port, version: version)
        configuration.reconnect.initial = .milliseconds(1)
        configure(&configuration)
        let client = MQTTClient(configuration: configuration, eventLoop: loop)
        try await client.connect()
        let value = try await body(client)
        await client.abort()
        return value
    }
}

extension MQTTClient {
    /// The connections, beginning with the present one.
    nonisolated var connections:
        AsyncCompactMapSequence<
            AsyncStream<MQTTConnectionState>, MQTTConnectionInfo
        >
    {
        connectionEvents.compactMap { if case .connected(let info) = $0 { info } else { nil } }
    }
}

extension MQTTProtocolVersion {
    /// The same version as a fake broker writes it.
    var fake: FakeBrokerVersion { self == .v5 ? .v5 : .v3_1_1 }
}

extension FakeBrokerPeer {
    /// Reads a SUBSCRIBE for one filter, grants it and returns it.
    func acceptSubscribe() throws -> FakeBrokerPacket {
        let packet = try read(.subscribe)
        try send(.suback(version, packet.identifier, codes: [1]))
        return packet
    }
}
