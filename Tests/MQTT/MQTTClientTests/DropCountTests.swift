import TestSupport
import Testing

@testable import MQTTClient

/// Messages that are not sent are counted, wherever they fail.
@Suite(.timeLimit(.minutes(1)))
struct DropCountTests {
    @Test func withoutAConnectionEveryWayToPublishCounts() async throws {
        try await withLoop { loop in
            let client = MQTTClient(configuration: try .test(1), eventLoop: loop)
            let message = try MQTTMessage.test("a")
            let topic = try MQTTTopic("answers")
            let calls: [(messages: Int, call: () async throws -> Void)] = [
                (1, { try await client.publish(message) }),
                (1, { _ = try await client.publishForAcknowledgement(message) }),
                (3, { _ = try await client.publish(contentsOf: [message, message, message]) }),
                (1, { _ = try await client.request(message, responseTopic: topic) }),
            ]
            var expected = 0
            for (messages, call) in calls {
                do {
                    try await call()
                    Issue.record("published without a connection")
                } catch let error as MQTTError {
                    #expect(error.code == .notConnected)
                }
                expected += messages
                #expect(await client.drops[.notTaken] == expected)
            }
            #expect(await !client.publishWithoutWaiting(message))
            #expect(await client.drops[.notTaken] == expected + 1)
        }
    }

    @Test func whatIsNotTakenIsToldAtOnce() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) {
                $0.sendMaximum = 1
                $0.maximumPendingMessages = 1
            } _: { client in
                let retained = MQTTMessage(topic: try MQTTTopic("a"), payload: [], retain: true)
                #expect(await !client.publishWithoutWaiting(retained))
                let message = try MQTTMessage.test("a")
                var isTaken: [Bool] = []
                // The first one is on its way, the second one waits.
                for _ in 0..<3 { isTaken.append(await client.publishWithoutWaiting(message)) }
                #expect(isTaken == [true, true, false])
                #expect(await client.drops[.notTaken] == 2)
                broker.proceed()
            }
        } broker: { broker in
            let retainIsNotAvailable: [UInt8] = [0x25, 0]
            let peer = try broker.acceptConnected(properties: retainIsNotAvailable)
            try broker.awaitProceed()
            for _ in 0..<2 { try peer.send(.puback(peer.read(.publish).publishIdentifier)) }
            _ = peer.readToEnd()
        }
    }

    /// What is published by who handles a message whose connection has ended behind it: only the library
    /// knows.
    @Test func whatTheLibraryRefusesIsToldAtOnce() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let echo = Echo(on: loop)
                try await echo.connect(.test(broker.port))
                var answers = echo.answers.makeAsyncIterator()
                #expect(await answers.next() == false)
                #expect(await echo.drops[.notTaken] == 1)
                await echo.close()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            for _ in 0..<2 { _ = try peer.read(.publish) }
            let serverShutsDown = FakeBrokerPacket.disconnect(0x8B)
            try peer.send(
                bytes: FakeBrokerPacket.publish(.v5, topic: "a").bytes + serverShutsDown.bytes)
            _ = peer.readToEnd()
        }
    }

    @Test func aRequestWhoseAnswersCannotComeCounts() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                await #expect(throws: MQTTError.self) {
                    try await client.request(.test("a"), responseTopic: MQTTTopic("answers"))
                }
                #expect(await client.drops[.notTaken] == 1)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.suback(.v5, peer.read(.subscribe).identifier, codes: [0x87]))
            _ = peer.readToEnd()
        }
    }

    @Test func aRequestOnVersion311Counts() async throws {
        try await withLoop { loop in
            let client = MQTTClient(
                configuration: try .test(1, version: .v3_1_1), eventLoop: loop)
            await #expect(throws: MQTTError.self) {
                try await client.request(.test("a"), responseTopic: MQTTTopic("answers"))
            }
            #expect(await client.drops[.notTaken] == 1)
        }
    }
}

/// Answers every message, and reports whether the answer was accepted.
private actor Echo {
    nonisolated let answers: AsyncStream<Bool>
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private nonisolated let loop: MQTTEventLoop
    private let taken: AsyncStream<Bool>.Continuation
    private var connection: MQTTConnection?

    init(on loop: MQTTEventLoop) {
        self.loop = loop
        (answers, taken) = AsyncStream.makeStream()
    }

    func connect(_ configuration: MQTTConfiguration) {
        let connection = MQTTConnection(configuration: configuration, eventLoop: loop, owner: self)
        {
            echo, event in
            echo.handle(event)
        }
        self.connection = connection
        connection.start()
    }

    private func handle(_ event: MQTTConnectionEvent) {
        switch event {
        case .connected:
            // The library reads as many packets at once as it awaits answers.
            guard let message = try? MQTTMessage.test("unanswered") else { return }
            for _ in 0..<2 { connection?.publish(message) }
        case .message(let message):
            if let connection { taken.yield(connection.publishWithoutWaiting(message)) }
        case .skipped, .disconnected, .closed: break
        }
    }

    var drops: MQTTDropCounts { connection?.drops ?? MQTTDropCounts() }

    func close() async {
        await withCheckedContinuation { continuation in
            connection?.close(drainingFor: .zero) { _ in continuation.resume() }
        }
    }
}
