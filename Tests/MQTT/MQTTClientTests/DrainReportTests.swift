import TestSupport
import Testing

@testable import MQTTClient

/// The report about undelivered messages at the end of a connection.
@Suite(.timeLimit(.minutes(1)))
struct DrainReportTests {
    @Test func theReportHoldsWhatNeverLeft() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port, configure: { $0.sendMaximum = 1 }) { client in
                for topic in ["sent", "kept/1", "kept/2"] {
                    await client.publishWithoutWaiting(try .test(topic, topic))
                }
                await broker.signalled()
                let report = await client.disconnect(drainingFor: .milliseconds(10))
                #expect(report.delivered == 0)
                #expect(report.undelivered == 3)
                #expect(report.unsent.map(\.topic.rawValue) == ["kept/1", "kept/2"])
                #expect(report.unsent.first?.payload == Array("kept/1".utf8))
                #expect(report.isDisconnectSent)
                #expect(await client.lastDrainReport == report)
                #expect(await client.drops[.unanswered] == 3)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    /// An acknowledgement makes room in the window, but the connection ends right after it, so nothing is
    /// sent.
    @Test func whatTheEndOvertakesNeverLeft() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port, configure: { $0.sendMaximum = 2 }) { client in
                for topic in ["sent/1", "sent/2", "kept/1", "kept/2"] {
                    await client.publishWithoutWaiting(try .test(topic))
                }
                await broker.signalled()
                async let report = client.disconnect(drainingFor: .seconds(30))
                await client.closing()
                broker.proceed()
                #expect(await report.delivered == 1)
                #expect(await report.undelivered == 3)
                #expect(await report.unsent.map(\.topic.rawValue) == ["kept/1", "kept/2"])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let first = try peer.read(.publish)
            _ = try peer.read(.publish)
            broker.signal()
            try broker.awaitProceed()
            try peer.send(
                bytes: FakeBrokerPacket.puback(first.publishIdentifier).bytes
                    + FakeBrokerPacket.disconnect(0x8B).bytes)
            _ = peer.readToEnd()
        }
    }

    /// Whichever side ends the connection, only sent messages are in doubt.
    @Test func theEndTellsWhatWasSentFromWhatWasNot() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port, configure: { $0.sendMaximum = 1 }) { client in
                let messages = try [MQTTMessage.test("sent"), .test("kept")]
                async let results = client.publish(contentsOf: messages)
                await broker.signalled()
                await client.disconnect(drainingFor: .milliseconds(10))
                let errors = try await results.map { result in
                    if case .failure(let error) = result { error } else { nil as MQTTError? }
                }
                #expect(errors.map { $0?.code } == [.connectionLost, .closed])
                #expect(errors.map { $0?.isRetriable } == [false, false])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    /// Data that waits for room in the socket is not written, although the library reports so.
    @Test func onlyWhatTheSocketHasTakenIsWritten() async throws {
        let (counts, sink) = AsyncStream.makeStream(of: Int.self)
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                let message = MQTTMessage(
                    topic: try MQTTTopic("a"), payload: [UInt8](repeating: 7, count: 1_000),
                    qos: .atMostOnce)
                async let results = client.publish(
                    contentsOf: Array(repeating: message, count: 20_000))
                await client.abortOnceTheSocketIsFull()
                broker.proceed()
                let written = try await results.filter { (try? $0.get()) != nil }.count
                for await arrived in counts.prefix(1) { #expect(written <= arrived) }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try broker.awaitProceed()
            sink.yield(peer.readToEnd().filter { $0 == .publish }.count)
        }
    }

    /// The acknowledgement comes after messages that no subscription takes any more.
    @Test func aFullSubscriptionDoesNotHoldTheEndBack() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                let idle = try await client.subscribe(to: [.test("a")], buffering: .suspend(1))
                await client.publishWithoutWaiting(try .test("b"))
                async let report = client.disconnect(drainingFor: .seconds(10))
                await client.closing()
                broker.proceed()
                let undelivered = await report.undelivered
                #expect(undelivered == 0)
                withExtendedLifetime(idle) {}
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.suback(.v5, peer.read(.subscribe).identifier, codes: [1]))
            let publish = try peer.read(.publish)
            try broker.awaitProceed()
            try peer.send(
                bytes: FakeBrokerPacket.publish(.v5, topic: "a").bytes
                    + FakeBrokerPacket.puback(publish.publishIdentifier).bytes)
            _ = peer.readToEnd()
        }
    }

    /// It holds nothing back at the end, so that it keeps its bound.
    @Test func aFullSubscriptionStaysBoundedToTheEnd() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                let idle = try await client.subscribe(to: [.test("a")], buffering: .suspend(1))
                await client.publishWithoutWaiting(try .test("b"))
                broker.proceed()
                while await client.pause.full.isEmpty { await Task.yield() }
                async let report = client.disconnect(drainingFor: .seconds(10))
                await client.closing()
                broker.proceed()
                #expect(await report.undelivered == 0)
                #expect(idle.droppedMessages == 10 + 1 - 2)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.suback(.v5, peer.read(.subscribe).identifier, codes: [1]))
            let publish = try peer.read(.publish)
            try broker.awaitProceed()
            try peer.send(.publish(.v5, topic: "a"))
            try broker.awaitProceed()
            for _ in 0..<10 { try peer.send(.publish(.v5, topic: "a")) }
            try peer.send(.puback(publish.publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    /// And not because of what had ended an earlier connection.
    @Test func nobodyConnectsWithAConnectionThatIsBeingClosed() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                await client.reached { if case .disconnected = $0 { true } else { false } }
                broker.proceed()
                await client.reached { if case .connected = $0 { true } else { false } }
                await client.publishWithoutWaiting(try .test("b"))
                async let report = client.disconnect(drainingFor: .seconds(10))
                await client.closing()
                async let connected = client.connect()
                while await !client.isAwaited { await Task.yield() }
                await broker.signalled()
                broker.proceed()
                do {
                    _ = try await connected
                    Issue.record("connected to what is being closed")
                } catch let error as MQTTError {
                    #expect(error.code == .closed)
                }
                #expect(await report.isDisconnectSent)
            }
        } broker: { broker in
            try broker.acceptConnected().cut()
            let peer = try broker.accept()
            _ = try peer.readConnect()
            try broker.awaitProceed()
            try peer.send(.connack(.v5))
            let publish = try peer.read(.publish)
            broker.signal()
            try broker.awaitProceed()
            try peer.send(.puback(publish.publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func everybodyWhoDisconnectsGetsTheSameReport() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let (reports, sink) = AsyncStream.makeStream(of: MQTTDrainReport.self)
                let message = try MQTTMessage.test("a")
                try await owner.with { connection in
                    connection.publish(message)
                    for _ in 0..<2 {
                        connection.close(drainingFor: .seconds(30)) { sink.yield($0) }
                    }
                }
                for await report in reports.prefix(2) {
                    #expect(report.delivered == 1 && report.isDisconnectSent)
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func anAbortLeavesNoReport() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                try await client.abortAndConnect()
                #expect(await client.lastDrainReport == nil)
                #expect(await client.isConnected)
                try await client.publish(.test("a"))
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
            let peer = try broker.acceptConnected()
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func refusedAndUnwantedMessagesAreCounted() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                await #expect(throws: MQTTError.self) {
                    try await client.publish(.test("a", qos: .exactlyOnce))
                }
                try await client.publish(.test("b"))
                let drops = await client.drops
                #expect(drops[.notTaken] == 1)
                #expect(drops[.unmatched] == 2)
                #expect(drops[.unusableTopic] == 1)
                #expect(drops.total == 4)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(properties: [0x24, 1])
            try peer.send(.publish(.v5, topic: "unasked/1"))
            try peer.send(.publish(.v5, topic: "unasked/2"))
            try peer.send(.publish(.v5, topic: "a/#"))
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = peer.readToEnd()
        }
    }
}

extension MQTTClient {
    /// And before what is kept for it goes out after all.
    fileprivate func abortOnceTheSocketIsFull() async {
        while !eventLoop.core.connections.drivers.contains(where: {
            $0.socket.handle?.hasUnsent == true
        }) {
            await Task.yield()
        }
        abort()
    }

    /// Both in one turn of the loop, before it can tell of the end.
    fileprivate func abortAndConnect() async throws {
        abort()
        try await connect()
    }
}

extension MQTTClient {
    /// Whether a call waits for the connection.
    fileprivate var isAwaited: Bool { !calls.connecting.isEmpty }
}
