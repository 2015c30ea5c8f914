import TestSupport
import Testing

@testable import MQTTClient

/// Cancelling any call leaves the connection usable.
@Suite(.timeLimit(.minutes(1)))
struct CancellationTests {
    /// At QoS 0 the only wait is for earlier messages.
    @Test func aCancelledBatchLetsWhatIsBehindItPass() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port, configure: { $0.sendMaximum = 1 }) { client in
                await client.publishWithoutWaiting(try .test("unanswered"))
                let messages = try [MQTTMessage](repeating: .test("batch"), count: 3)
                let result = try await cancelled {
                    try await client.publish(contentsOf: messages)
                } when: {
                    while await !client.hasBatch { await Task.yield() }
                    await client.publishWithoutWaiting(try .test("behind", qos: .atMostOnce))
                }
                #expect(try result.get().allSatisfy { (try? $0.get()) == nil })
                await broker.signalled()
                broker.proceed()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let unanswered = try peer.read(.publish)
            let behind = try peer.read(.publish)
            guard [unanswered.topic, behind.topic] == ["unanswered", "behind"] else {
                throw TestSupportError("\(unanswered) \(behind)")
            }
            broker.signal()
            // The client would wait for it before it ends.
            try broker.awaitProceed()
            try peer.send(.puback(unanswered.publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func aCancelledPublishLeavesTheConnectionUsable() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                let result = try await cancelled {
                    try await client.publish(.test("first"))
                } when: {
                    await broker.signalled()
                }
                #expect(result.code == .cancelled)
                #expect(try await client.publish(.test("second")) == .success)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let first = try peer.read(.publish)
            broker.signal()
            let second = try peer.read(.publish)
            // The late answer is ignored.
            try peer.send(.puback(first.publishIdentifier))
            try peer.send(.puback(second.publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func aCancelledSubscribeUnsubscribesAndLeavesTheConnectionUsable() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                let result = try await cancelled {
                    try await client.subscribe(to: [.test("a/#")])
                } when: {
                    await broker.signalled()
                }
                #expect(result.code == .cancelled)
                let subscription = try await client.subscribe(to: [.test("b")])
                var messages = subscription.makeAsyncIterator()
                let message = try await messages.next()
                #expect(message?.topic.rawValue == "b")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let first = try peer.read(.subscribe)
            broker.signal()
            let unsubscribe = try peer.read(.unsubscribe)
            try peer.send(.suback(.v5, first.identifier, codes: [1]))
            try peer.send(.unsuback(.v5, unsubscribe.identifier, codes: [0]))
            try peer.send(.suback(.v5, peer.read(.subscribe).identifier, codes: [1]))
            try peer.send(.publish(.v5, topic: "b"))
            _ = peer.readToEnd()
        }
    }

    @Test func aCancelledWaitForAMessageLeavesTheSubscriptionUsable() async throws {
        try await withBroker { broker in
            try await withClient(broker.port) { client in
                let subscription = try await client.subscribe(to: [.test("a")])
                let nothing = try await cancelled {
                    var messages = subscription.makeAsyncIterator()
                    return try await messages.next()
                } when: {
                    try await client.publish(.test("other"))
                }
                #expect(try nothing.get() == nil)
                try await client.publish(.test("a", "later"))
                var messages = subscription.makeAsyncIterator()
                let message = try await messages.next()
                #expect(message?.payload == Array("later".utf8))
            }
        }
    }

    @Test func aCancelledRequestDoesNotTakeOthersWithIt() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                try await withThrowingTaskGroup(of: MQTTError.Code?.self) { group in
                    let first = try await cancelled {
                        try await client.request(.test("1"), responseTopic: MQTTTopic("answers"))
                    } when: {
                        await broker.signalled()
                        // Waits for the same SUBACK as the first.
                        group.addTask {
                            do {
                                _ = try await client.request(
                                    .test("2"), responseTopic: MQTTTopic("answers"))
                                return nil
                            } catch {
                                return (error as? MQTTError)?.code
                            }
                        }
                    }
                    #expect(first.code == .cancelled)
                    await client.publishWithoutWaiting(try .test("go", qos: .atMostOnce))
                    #expect(try await group.next() == .noResponder)
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let subscribe = try peer.read(.subscribe)
            broker.signal()
            guard try peer.read(.publish).topic == "go" else { throw TestSupportError("too early") }
            try peer.send(.suback(.v5, subscribe.identifier, codes: [1]))
            let second = try peer.read(.publish)
            guard second.topic == "2" else { throw TestSupportError("not \(second.topic)") }
            try peer.send(.puback(second.publishIdentifier, reason: 0x10))
            _ = peer.readToEnd()
        }
    }

    @Test func aCancelledConnectDoesNotEndWhatOthersWaitFor() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let client = MQTTClient(configuration: try .test(broker.port), eventLoop: loop)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await client.run() }
                    let connect = try await cancelled {
                        try await client.connect()
                    } when: {
                        await broker.signalled()
                    }
                    #expect(connect.code == .cancelled)
                    // The script answers CONNECT only after this.
                    broker.proceed()
                    try await client.connect()
                    #expect(try await client.publish(.test("a")) == .success)
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            broker.signal()
            try broker.awaitProceed()
            try peer.send(.connack(.v5))
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func afterACancelledConnectTheClientConnectsAnew() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let client = MQTTClient(configuration: try .test(broker.port), eventLoop: loop)
                let connect = try await cancelled {
                    try await client.connect()
                } when: {
                    await broker.signalled()
                }
                #expect(connect.code == .cancelled)
                try await client.connect()
                #expect(try await client.publish(.test("a")) == .success)
                await client.disconnect()
            }
        } broker: { broker in
            let mute = try broker.accept()
            _ = try mute.readConnect()
            broker.signal()
            let peer = try broker.acceptConnected()
            try peer.send(.puback(peer.read(.publish).publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    @Test func waitingForALostConnectionMayBeCancelled() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                let subscription = try await client.subscribe(to: [.test("a")])
                broker.proceed()
                await client.reached { if case .disconnected = $0 { true } else { false } }
                let wait = try await cancelled {
                    try await client.connect()
                } when: {
                    await broker.signalled()
                }
                #expect(wait.code == .cancelled)
                broker.proceed()
                try await client.connect()
                var messages = subscription.makeAsyncIterator()
                let message = try await messages.next()
                #expect(message?.topic.rawValue == "a")
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            try first.send(.suback(.v5, first.read(.subscribe).identifier, codes: [1]))
            try broker.awaitProceed()
            first.cut()
            let second = try broker.accept()
            _ = try second.readConnect()
            broker.signal()
            try broker.awaitProceed()
            try second.send(.connack(.v5))
            try second.send(.suback(.v5, second.read(.subscribe).identifier, codes: [1]))
            try second.send(.publish(.v5, topic: "a"))
            _ = second.readToEnd()
        }
    }

    @Test func aCancelledDisconnectStillDrainsAndReports() async throws {
        try await withFakeBroker { broker in
            try await withClient(broker.port) { client in
                await client.publishWithoutWaiting(try .test("a"))
                await broker.signalled()
                let report = await withTaskGroup(of: MQTTDrainReport.self) { group in
                    group.addTask { await client.disconnect(drainingFor: .seconds(30)) }
                    await client.closing()
                    group.cancelAll()
                    broker.proceed()
                    return await group.next()
                }
                #expect(report?.delivered == 1)
                #expect(report?.isDisconnectSent == true)
                try await client.connect()
                #expect(try await client.publish(.test("b")) == .success)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let publish = try peer.read(.publish)
            broker.signal()
            try broker.awaitProceed()
            try peer.send(.puback(publish.publishIdentifier))
            _ = peer.readToEnd()
            peer.cut()
            let next = try broker.acceptConnected()
            try next.send(.puback(next.read(.publish).publishIdentifier))
            _ = next.readToEnd()
        }
    }

    @Test func aCancelledScopeDisconnectsInOrder() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let configuration = try MQTTConfiguration.test(broker.port)
                let result = try await cancelled {
                    try await MQTTClient.withConnection(
                        configuration: configuration, eventLoop: loop
                    ) { client in
                        let subscription = try await client.subscribe(to: [.test("a")])
                        for try await _ in subscription {}
                        try Task.checkCancellation()
                    }
                } when: {
                    await broker.signalled()
                }
                #expect(throws: CancellationError.self) { try result.get() }
                await broker.signalled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.suback(.v5, peer.read(.subscribe).identifier, codes: [1]))
            broker.signal()
            guard peer.readToEnd().last == .disconnect else {
                throw TestSupportError("no DISCONNECT")
            }
            broker.signal()
        }
    }

    @Test func aRunThatWasCancelledMayRunAgain() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let client = MQTTClient(configuration: try .test(broker.port), eventLoop: loop)
                for _ in 0..<3 {
                    let run = try await cancelled {
                        try await client.run()
                    } when: {
                        await client.reached { if case .connected = $0 { true } else { false } }
                        try await client.publish(.test("a"))
                    }
                    #expect(throws: Never.self) { try run.get() }
                    #expect(await client.lastDrainReport?.isDisconnectSent == true)
                }
            }
        }
    }

    @Test func aCancelledShutdownOfTheLoopStillEndsIt() async throws {
        try await withBroker { broker in
            let loop = try MQTTEventLoop(label: "ending")
            let client = MQTTClient(configuration: try .test(broker.port), eventLoop: loop)
            try await client.connect()
            let shutdown = try await cancelled {
                await loop.shutdown()
            } when: {
            }
            #expect(throws: Never.self) { try shutdown.get() }
            #expect(await client.isConnected == false)
        }
    }
}

extension MQTTClient {
    fileprivate var hasBatch: Bool { !calls.batches.isEmpty }
}
