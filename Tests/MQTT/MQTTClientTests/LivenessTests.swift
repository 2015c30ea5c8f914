import TestSupport
import Testing

@testable import MQTTClient

/// Keep-alive, half-open links and the orderly end.
@Suite(.timeLimit(.minutes(1)))
struct LivenessTests {
    private let clock = ManualLoopClock()

    /// Server Keep Alive, as CONNACK brings it.
    private static let serverKeepAliveOfTwoSeconds: [UInt8] = [0x13, 0, 2]

    /// Few of them fill a socket, so that they can be read within half a keep-alive interval.
    private static func bulk() throws -> MQTTMessage {
        MQTTMessage(
            topic: try MQTTTopic("a"), payload: [UInt8](repeating: 7, count: 48 << 10),
            qos: .atMostOnce)
    }

    /// Reads nothing until it may, and then all before the ping.
    private static func answerThePingBehindABacklog(_ broker: FakeBroker) throws {
        let peer = try broker.acceptConnected(properties: serverKeepAliveOfTwoSeconds)
        try broker.awaitProceed()
        while try peer.read().kind != .pingreq {}
        try peer.send(.pingresp)
        broker.signal()
        _ = peer.readToEnd()
    }

    @Test func aSilentBrokerIsNoticedAfterOneAndAHalfIntervals() async throws {
        try await withFakeBroker { broker in
            try await withLoop(clock: .manual(clock)) { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.keepAlive = .seconds(5)
                // In the loop's own order.
                let (moments, sink) = AsyncStream.makeStream(of: String.self)
                let owner = TestOwner(on: loop) { event in
                    guard case .connected = event else {
                        sink.yield("\(event)")
                        return
                    }
                    // Behind what was due before, and is told later.
                    loop.schedule(after: .milliseconds(7_499)) {
                        loop.core.later { sink.yield("not yet") }
                    }
                    sink.yield("connected")
                }
                await owner.connect(configuration)
                var order = moments.makeAsyncIterator()
                #expect(await order.next() == "connected")
                clock.advance(by: .seconds(5))
                await broker.signalled()
                clock.advance(by: .milliseconds(2_499))
                #expect(await order.next() == "not yet")
                clock.advance(by: .milliseconds(1))
                #expect(await order.next()?.contains("keep-alive-timeout") == true)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.pingreq)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func aPausedConnectionGoesOnPinging() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker, clock: .manual(clock)) {
                $0.keepAlive = .seconds(5)
            } body: { owner, events in
                try await owner.with { $0.pauseReading() }
                // The script answers the second ping with a message and so ends the pause.
                for _ in 0..<2 {
                    clock.advance(by: .seconds(5))
                    await broker.signalled()
                }
                try await owner.with { $0.resumeReading() }
                #expect(try await events.message().topic.rawValue == "after")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            for _ in 0..<2 {
                _ = try peer.read(.pingreq)
                broker.signal()
            }
            try peer.send(.publish(.v5, topic: "after"))
            _ = peer.readToEnd()
        }
    }

    @Test func closingWaitsForAcknowledgementsThenDisconnects() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let publish = try MQTTMessage.test("a")
                async let results = owner.publishTogether([publish, publish, publish])
                var signals = broker.signals.makeAsyncIterator()
                _ = await signals.next()
                async let report = owner.close(drainingFor: .seconds(20))
                #expect(await results.allSatisfy { (try? $0.get()) == .success })
                #expect(await report.undelivered == 0)
                #expect(await report.isDisconnectSent)
                _ = await signals.next()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let packets = try (0..<3).map { _ in try peer.read(.publish) }
            broker.signal()
            for packet in packets { try peer.send(.puback(packet.publishIdentifier)) }
            guard peer.readToEnd() == [.disconnect] else { throw TestSupportError("no DISCONNECT") }
            broker.signal()
        }
    }

    @Test func closingGivesUpAtTheDeadlineAndSaysWhatIsMissing() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let publish = try MQTTMessage.test("a")
                async let results = owner.publishTogether([publish, publish])
                var signals = broker.signals.makeAsyncIterator()
                _ = await signals.next()
                let report = await owner.close(drainingFor: .milliseconds(50))
                #expect(report.undelivered == 1)
                #expect(report.isDisconnectSent)
                let outcomes = await results.map { (try? $0.get()) != nil }
                #expect(outcomes == [true, false])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let first = try peer.read(.publish)
            _ = try peer.read(.publish)
            broker.signal()
            try peer.send(.puback(first.publishIdentifier))
            guard peer.readToEnd() == [.disconnect] else { throw TestSupportError("no DISCONNECT") }
            peer.cut()
        }
    }

    /// When a ping is due, more is queued than the network accepts, and none of it needs an answer.
    @Test func aBacklogThatNobodyAnswersIsNoSilence() async throws {
        try await withFakeBroker { broker in
            try await withClient(
                broker.port, clock: .manual(clock),
                configure: {
                    $0.reconnect = .never
                    $0.maximumPendingBytes = 64 << 20
                }
            ) { client in
                async let readLate: Void = client.readAfterAPing(by: broker, clock)
                let results = try await client.publish(
                    contentsOf: Array(repeating: try Self.bulk(), count: 1_000))
                #expect(results.allSucceeded)
                await readLate
                // The ping goes out when it can.
                await broker.signalled()
            }
        } broker: { broker in
            try Self.answerThePingBehindABacklog(broker)
        }
    }

    /// The rest of the queue is written together with the ping after it.
    @Test func aPingThatIsOwedFollowsTheLastOfABacklog() async throws {
        try await withFakeBroker { broker in
            try await withClient(
                broker.port, clock: .manual(clock), configure: { $0.reconnect = .never }
            ) { client in
                await client.publishUntilTheSocketIsFull(try Self.bulk())
                await client.readAfterAPing(by: broker, clock)
                await broker.signalled()
            }
        } broker: { broker in
            try Self.answerThePingBehindABacklog(broker)
        }
    }

    /// Now and then a part of it leaves, which is a sign of life.
    @Test func aBacklogThatLeavesSlowlyIsNoSilence() async throws {
        let steps = 8
        try await withFakeBroker { broker in
            try await withClient(
                broker.port, clock: .manual(clock),
                configure: {
                    $0.reconnect = .never
                    $0.maximumPendingBytes = 64 << 20
                    $0.maximumPendingMessages = 100_000
                }
            ) { client in
                let message = MQTTMessage(
                    topic: try MQTTTopic("a"), payload: [UInt8](repeating: 7, count: 1_000),
                    qos: .atMostOnce)
                async let readSlowly: Void = {
                    await client.readAfterAPing(by: broker, clock)
                    for _ in 1..<steps {
                        await broker.signalled()
                        await client.pass(.milliseconds(400), clock)
                        broker.proceed()
                    }
                }()
                let results = try await client.publish(
                    contentsOf: Array(repeating: message, count: 50_000))
                // The results themselves would be printed otherwise.
                await readSlowly
                let allSucceeded = results.allSucceeded
                #expect(allSucceeded)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(properties: Self.serverKeepAliveOfTwoSeconds)
            for _ in 0..<steps {
                try broker.awaitProceed()
                for _ in 0..<4_000 { _ = try peer.read() }
                broker.signal()
            }
            _ = peer.readToEnd()
        }
    }

    /// A slow send is neither silence nor an overdue acknowledgement: the broker has not received it yet.
    @Test(arguments: [nil, Duration.milliseconds(1_500)])
    func aLargeMessageThatLeavesSlowlyIsNoSilence(limit: Duration?) async throws {
        let size = 40 << 20
        let steps = 10
        try await withFakeBroker { broker in
            try await withClient(
                broker.port, clock: .manual(clock),
                configure: {
                    $0.reconnect = .never
                    $0.acknowledgementTimeout = limit
                }
            ) { client in
                let message = MQTTMessage(
                    topic: try MQTTTopic("a"), payload: [UInt8](repeating: 7, count: size))
                async let readSlowly: Void = {
                    await client.backlogged()
                    for _ in 1...steps {
                        await client.pass(.milliseconds(400), clock)
                        broker.proceed()
                        await broker.signalled()
                    }
                }()
                #expect(try await client.publish(message) == .success)
                await readSlowly
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(properties: Self.serverKeepAliveOfTwoSeconds)
            // The fixed header, the topic, the identifier and no properties.
            let head = try peer.read(bytes: 5 + 3 + 2 + 1)
            for _ in 0..<steps {
                try broker.awaitProceed()
                _ = try peer.read(bytes: 2 << 20)
                broker.signal()
            }
            _ = try peer.read(bytes: size - steps * (2 << 20))
            try peer.send(.puback(Int(head[8]) << 8 | Int(head[9])))
            _ = peer.readToEnd()
        }
    }

    /// A broker may take longer over an acknowledgement than it waits for a sign of life.
    @Test func pingsGoOnWhileAcknowledgementsAreAwaited() async throws {
        let serverKeepAliveOfOneSecond: [UInt8] = [0x13, 0, 1]
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker, clock: .manual(clock)) { owner, _ in
                async let published = owner.publish(.test("a"))
                await broker.signalled()
                let reports = try await owner.beginClosing(drainingFor: .seconds(30))
                for _ in 0..<2 {
                    clock.advance(by: .seconds(1))
                    await broker.signalled()
                }
                let report = await reports.first { _ in true }
                #expect(report?.delivered == 1 && report?.isDisconnectSent == true)
                let result = try await published
                #expect(try result.get() == .success)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(properties: serverKeepAliveOfOneSecond)
            let publish = try peer.read(.publish)
            broker.signal()
            for _ in 0..<2 {
                _ = try peer.read(.pingreq)
                try peer.send(.pingresp)
                broker.signal()
            }
            try peer.send(.puback(publish.publishIdentifier))
            guard peer.readToEnd() == [.disconnect] else { throw TestSupportError("no DISCONNECT") }
            peer.cut()
        }
    }

    /// A silent broker does not use up the time of the drain.
    @Test func aDrainEndsWithTheConnection() async throws {
        let serverKeepAliveOfOneSecond: [UInt8] = [0x13, 0, 1]
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker, clock: .manual(clock)) { owner, _ in
                async let published = owner.publish(.test("a"))
                await broker.signalled()
                let reports = try await owner.beginClosing(drainingFor: .seconds(3_600))
                clock.advance(by: .seconds(1))
                await broker.signalled()
                clock.advance(by: .milliseconds(500))
                let report = await reports.first { _ in true }
                #expect(report?.undelivered == 1 && report?.isDisconnectSent == false)
                let result = try await published
                #expect(throws: MQTTError.self) { try result.get() }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(properties: serverKeepAliveOfOneSecond)
            _ = try peer.read(.publish)
            broker.signal()
            _ = try peer.read(.pingreq)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func noMessageIsTakenWhileClosing() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                async let pending = owner.publish(.test("a"))
                await broker.signalled()
                let late = try MQTTMessage.test("b")
                let (reports, reported) = AsyncStream.makeStream(of: MQTTDrainReport.self)
                let refusal = try await owner.with { connection in
                    connection.close(drainingFor: .seconds(30)) { reported.yield($0) }
                    return connection.publishing(late)
                }
                #expect(await refusal.first { _ in true }?.code == .closed)
                broker.proceed()
                let report = await reports.first { _ in true }
                #expect(report?.delivered == 1 && report?.isDisconnectSent == true)
                #expect(try await pending.get() == .success)
                await broker.signalled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let publish = try peer.read(.publish)
            broker.signal()
            try broker.awaitProceed()
            try peer.send(.puback(publish.publishIdentifier))
            guard peer.readToEnd() == [.disconnect] else { throw TestSupportError("it was sent") }
            broker.signal()
        }
    }

    @Test func abortSendsNoDisconnect() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, events in
                try await owner.with { $0.abort() }
                guard case .closed = await events.next(isolation: #isolation) else {
                    Issue.record("abort closes")
                    return
                }
                var signals = broker.signals.makeAsyncIterator()
                _ = await signals.next()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            guard peer.readToEnd().isEmpty else { throw TestSupportError("something was sent") }
            broker.signal()
        }
    }

    @Test func lettingGoOfAConnectionAbortsIt() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                await owner.drop()
                var signals = broker.signals.makeAsyncIterator()
                _ = await signals.next()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            guard peer.readToEnd().isEmpty else { throw TestSupportError("something was sent") }
            broker.signal()
        }
    }
}
