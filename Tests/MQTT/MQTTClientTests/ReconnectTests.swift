import MQTTClient
import TestSupport
import Testing

/// A client whose broker goes and comes back.
@Suite(.timeLimit(.minutes(1)))
struct ReconnectTests {
    /// Even without delays between attempts the loop serves other work.
    @Test func aReturnWithoutAPauseDoesNotHoldTheLoop() async throws {
        let loop = try MQTTEventLoop(label: "test", reconnectBudget: .unlimited)
        var configuration = try MQTTConfiguration.test(try freePort())
        configuration.reconnect = MQTTReconnectPolicy(initial: .zero, cap: .zero)
        let owner = TestOwner(on: loop)
        await owner.connect(configuration)
        var events = owner.events.makeAsyncIterator()
        for _ in 0..<5 { _ = try await events.disconnected() }
        await loop.shutdown()
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func subscriptionsSurviveARestartOfTheBroker(version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port, version: version)
                configuration.reconnect = MQTTReconnectPolicy(
                    initial: .milliseconds(20), cap: .milliseconds(50))
                try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
                    client in
                    let subscription = try await client.subscribe(to: [.test("a/#")])
                    await broker.kill()
                    try await broker.start()
                    try await client.connect()
                    // Subscriptions are renewed before connect() returns, so in front of this.
                    try await client.publish(.test("a/1", "back"))
                    var messages = subscription.makeAsyncIterator()
                    let message = try await messages.next()
                    #expect(message?.payload == Array("back".utf8))
                }
            }
        }
    }

    /// Between its connections nobody listens, which tells a restart from two clients with one id.
    @Test func quickRestartsOfTheBrokerAreNotTakenForADuplicateClientID() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port, id: "steady")
                configuration.reconnect = MQTTReconnectPolicy(
                    initial: .milliseconds(5), cap: .milliseconds(10))
                let owner = TestOwner(on: loop)
                await owner.connect(configuration)
                var events = owner.events.makeAsyncIterator()
                _ = try await events.connected()
                for _ in 1...4 {
                    await broker.kill()
                    var codes: [MQTTError.Code] = []
                    while codes.last != .unreachable {
                        codes.append(try await events.disconnected().error.code)
                    }
                    #expect(!codes.contains(.likelyDuplicateClientID))
                    try await broker.start()
                    try await events.reachConnected()
                }
            }
        }
    }

    @Test func connectGivesUpAfterItsTime() async throws {
        try await withLoop { loop in
            var configuration = try MQTTConfiguration.test(try freePort())
            configuration.connectTimeout = .milliseconds(300)
            configuration.reconnect.initial = .milliseconds(10)
            let client = MQTTClient(configuration: configuration, eventLoop: loop)
            await #expect { try await client.connect() } throws: { error in
                (error as? MQTTError)?.code == .unreachable
            }
            await #expect { try await client.publish(.test("a")) } throws: { error in
                (error as? MQTTError)?.code == .notConnected
            }
        }
    }

    @Test func connectThrowsAtOnceWhenCredentialsAreRefused() async throws {
        try await withBroker("allow_anonymous false") { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.credentials = try MQTTCredentials(username: "u", password: "p")
                let client = MQTTClient(configuration: configuration, eventLoop: loop)
                await #expect { try await client.connect() } throws: { error in
                    (error as? MQTTError)?.reasonCode == .notAuthorized
                }
            }
        }
    }

    /// Like a first start: the state changes, and an attempt ends when no caller waits for it any more.
    @Test func connectBeginsAnewAfterAFinalFailure() async throws {
        try await withFakeBroker { broker in
            try await withClient(
                broker.port, configure: { $0.connectTimeout = .milliseconds(500) }
            ) { client in
                await client.reached { if case .disconnected(_, nil) = $0 { true } else { false } }
                let again = Task { try await client.connect() }
                await broker.signalled()
                var states = client.connectionEvents.makeAsyncIterator()
                guard case .connecting = await states.next() else {
                    Issue.record("there is an attempt")
                    return
                }
                await #expect(throws: MQTTError.self) { try await again.value }
                await client.reached { if case .closed = $0 { true } else { false } }
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            try first.send(.disconnect(0x8E))
            _ = first.readToEnd()
            let second = try broker.accept()
            _ = try second.readConnect()
            broker.signal()
            _ = second.readToEnd()
        }
    }

    @Test func runEndsWithItsTaskAndDisconnects() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let client = MQTTClient(
                    configuration: try .test(broker.port), eventLoop: loop)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await client.run() }
                    for await state in client.connectionEvents {
                        if case .connected = state { break }
                    }
                    group.cancelAll()
                    try await group.waitForAll()
                }
                #expect(await client.isConnected == false)
            }
        }
    }

    @Test func runThrowsWhatIsFinal() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let client = MQTTClient(
                    configuration: try .test(broker.port), eventLoop: loop)
                await #expect { try await client.run() } throws: { error in
                    (error as? MQTTError)?.code == .sessionTakenOver
                }
            }
        } broker: { broker in
            try broker.acceptConnected().send(.disconnect(0x8E))
        }
    }

    @Test func cancelledPublishDoesNotHang() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let client = MQTTClient(
                    configuration: try .test(broker.port), eventLoop: loop)
                try await client.connect()
                await withTaskGroup(of: MQTTError.Code?.self) { group in
                    group.addTask {
                        do throws(MQTTError) {
                            guard let message = try? MQTTMessage.test("a") else { return nil }
                            try await client.publish(message)
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                    var signals = broker.signals.makeAsyncIterator()
                    _ = await signals.next()
                    group.cancelAll()
                    #expect(await group.next() == .cancelled)
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func nothingBeginsOnALoopThatHasEnded() async throws {
        let loop = try MQTTEventLoop(label: "ended")
        await loop.shutdown()
        try await withFakeBroker { broker in
            let client = MQTTClient(configuration: try .test(broker.port), eventLoop: loop)
            let calls: [() async throws -> Void] = [
                { try await client.connect() }, { try await client.run() },
            ]
            for call in calls {
                let error = await #expect(throws: MQTTError.self) { try await call() }
                #expect(error?.code == .closed)
            }
        } broker: { broker in
            _ = try broker.accept()
            throw TestSupportError("it has connected")
        }
    }

    @Test func outstandingWorkEndsWithTheLoop() async throws {
        try await withFakeBroker { broker in
            let loop = try MQTTEventLoop(label: "ending")
            let client = MQTTClient(configuration: try .test(broker.port), eventLoop: loop)
            try await client.connect()
            async let published = client.publish(.test("a"))
            var signals = broker.signals.makeAsyncIterator()
            _ = await signals.next()
            await loop.shutdown()
            await loop.shutdown()
            do {
                _ = try await published
                Issue.record("the loop has ended")
            } catch {
                #expect((error as? MQTTError)?.code == .connectionLost)
                #expect((error as? MQTTError)?.isRetriable == false)
            }
            // Jobs still run after the end, so that no task hangs.
            #expect(await client.isConnected == false)
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func slowConsumersDoNotHoldTheOthers() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let configuration = try MQTTConfiguration.test(broker.port)
                try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
                    client in
                    let slow = try await client.subscribe(
                        to: [.test("slow")], buffering: .dropOldest(10))
                    let fast = try await client.subscribe(to: [.test("fast")])
                    var messages = fast.makeAsyncIterator()
                    for number in 0..<100 {
                        try await client.publish(.test("slow", "\(number)"))
                        try await client.publish(.test("fast", "\(number)"))
                        let message = try await messages.next()
                        #expect(message?.payload == Array("\(number)".utf8))
                    }
                    #expect(slow.droppedMessages == 90)
                    var rest = slow.makeAsyncIterator()
                    let oldest = try await rest.next()
                    #expect(oldest?.payload == Array("90".utf8))
                }
            }
        }
    }

    @Test func suspendedSubscriptionLosesNothing() async throws {
        try await withBroker("max_queued_messages 0") { broker in
            try await withLoop { loop in
                let reading = try MQTTConfiguration.test(broker.port, id: "reader")
                let writing = try MQTTConfiguration.test(broker.port, id: "writer")
                try await MQTTClient.withConnection(configuration: reading, eventLoop: loop) {
                    reader in
                    let subscription = try await reader.subscribe(
                        to: [.test("a")], buffering: .suspend(20))
                    try await MQTTClient.withConnection(configuration: writing, eventLoop: loop) {
                        writer in
                        for number in 0..<500 {
                            try await writer.publish(.test("a", "\(number)"))
                        }
                    }
                    var messages = subscription.makeAsyncIterator()
                    for number in 0..<500 {
                        let message = try await messages.next()
                        #expect(message?.payload == Array("\(number)".utf8))
                    }
                    #expect(subscription.droppedMessages == 0)
                }
            }
        }
    }

    @Test func endedSubscriptionUnsubscribes() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let configuration = try MQTTConfiguration.test(broker.port)
                try await MQTTClient.withConnection(configuration: configuration, eventLoop: loop) {
                    client in
                    do {
                        let subscription = try await client.subscribe(to: [.test("a")])
                        #expect(try await client.publish(.test("a")) == .success)
                        #expect(subscription.reasonCodes == [.grantedQoS1])
                    }
                    #expect(try await client.publish(.test("a")) == .noMatchingSubscribers)
                }
            }
        }
    }
}

extension AsyncStream.Iterator where Element == MQTTConnectionEvent {
    /// Skips failed attempts until the connection is there.
    fileprivate mutating func reachConnected() async throws {
        while let event = await next(isolation: #isolation) {
            if case .connected = event { return }
        }
        throw TestSupportError("the events ended")
    }
}
