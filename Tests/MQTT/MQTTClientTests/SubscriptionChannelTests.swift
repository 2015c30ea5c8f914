import Dispatch
import TestSupport
import Testing

@testable import MQTTClient

/// The delivery of messages to their consumer.
@Suite(.timeLimit(.minutes(1)))
struct SubscriptionChannelTests {
    @Test func takingAMessageStaysOnTheConsumersExecutor() async throws {
        try await withLoop { loop in
            let (places, sink) = AsyncStream.makeStream(of: Bool.self)
            let channel = SubscriptionChannel(policy: .suspend(2), eventLoop: loop) {
                sink.yield(loop.isCurrent)
            }
            _ = channel.push(try .test("a", "1"))
            _ = channel.push(try .test("a", "2"))
            let message = try await Consumer(on: loop).next(of: channel)
            #expect(message?.payload == Array("1".utf8))
            var iterator = places.makeAsyncIterator()
            let isOnLoop = await iterator.next()
            #expect(isOnLoop == true)
        }
    }

    @Test func aWaitingConsumerGetsTheNextMessage() async throws {
        try await withLoop { loop in
            let channel = SubscriptionChannel(policy: .suspend(2), eventLoop: loop) {}
            async let next = Consumer(on: loop).next(of: channel)
            _ = channel.push(try .test("a", "1"))
            let message = try await next
            #expect(message?.payload == Array("1".utf8))
        }
    }

    @Test func aConsumerThatIsCancelledWhileItWaitsGoes() async throws {
        try await withLoop { loop in
            let channel = SubscriptionChannel(policy: .suspend(2), eventLoop: loop) {}
            let consumer = Consumer(on: loop)
            let taken = try await cancelled {
                try await consumer.next(of: channel)
            } when: {
                await consumer.waits()
            }
            #expect(try taken.get() == nil)
            _ = channel.push(try .test("a", "1"))
            let message = try await consumer.next(of: channel)
            #expect(message?.payload == Array("1".utf8))
        }
    }

    /// The one that was cancelled learns of it only when the loop has time.
    @Test func aConsumerMayFollowOneThatWasCancelledAtOnce() async throws {
        try await withLoop { loop in
            try await withLoop(label: "consumers") { home in
                let channel = SubscriptionChannel(policy: .suspend(2), eventLoop: loop) {}
                let consumers = (first: Consumer(on: home), second: Consumer(on: home))
                let gate = DispatchSemaphore(value: 0)
                let message = try MQTTMessage.test("a", "1")
                try await withThrowingTaskGroup(of: MQTTMessage?.self) { group in
                    group.addTask { try await consumers.first.next(of: channel) }
                    await consumers.first.waits()
                    loop.execute { gate.wait() }
                    group.cancelAll()
                    async let next = consumers.second.next(of: channel)
                    await consumers.second.waits()
                    gate.signal()
                    let first = try await group.next() ?? nil
                    #expect(first == nil)
                    loop.execute { _ = channel.push(message) }
                    let second = try await next
                    #expect(second == message)
                }
            }
        }
    }

    /// As above, with copies of one iterator.
    @Test func aCopyOfAnIteratorMayFollowTheOneThatWasCancelled() async throws {
        try await withBroker { broker in
            try await withLoop(label: "consumers") { home in
                try await withClient(broker.port) { client in
                    let reader = Reader(try await client.subscribe(to: [.test("a")]), on: home)
                    let gate = DispatchSemaphore(value: 0)
                    try await withThrowingTaskGroup(of: MQTTMessage?.self) { group in
                        group.addTask { try await reader.next() }
                        await reader.waits(for: 1)
                        client.eventLoop.execute { gate.wait() }
                        group.cancelAll()
                        async let next = reader.next()
                        await reader.waits(for: 2)
                        gate.signal()
                        let first = try await group.next() ?? nil
                        #expect(first == nil)
                        try await client.publish(.test("a"))
                        let second = try await next
                        #expect(second != nil)
                    }
                }
            }
        }
    }

    @Test func theEndReachesAWaitingConsumer() async throws {
        try await withLoop { loop in
            let channel = SubscriptionChannel(policy: .suspend(2), eventLoop: loop) {}
            let consumer = Consumer(on: loop)
            let ended = try await cancelled {
                try await consumer.next(of: channel)
            } when: {
                await consumer.waits()
                channel.end(MQTTError(.connectionLost, "gone"))
            }
            #expect(ended.code == .connectionLost)
        }
    }

    @Test func aMessageForAWaitingConsumerIsNotDroppedByTheNext() async throws {
        try await withLoop { loop in
            let channel = SubscriptionChannel(policy: .dropOldest(1), eventLoop: loop) {}
            let consumer = Consumer(on: loop)
            async let next = consumer.next(of: channel)
            await consumer.waits()
            let messages = try (1...2).map { try MQTTMessage.test("a", "\($0)") }
            loop.execute { for message in messages { _ = channel.push(message) } }
            let first = try await next
            #expect(first == messages[0])
            let second = try await consumer.next(of: channel)
            #expect(second == messages[1])
            #expect(channel.dropped == 0)
        }
    }

    /// A separate job would have to wait for other work of the loop.
    @Test func aWaitingConsumerOnTheLoopGoesOnInTheJobOfItsMessage() async throws {
        try await withLoop { loop in
            let channel = SubscriptionChannel(policy: .suspend(2), eventLoop: loop) {}
            let consumer = Consumer(on: loop)
            async let next = consumer.next(of: channel)
            await consumer.waits()
            let message = try MQTTMessage.test("a", "1")
            let isServed = await withCheckedContinuation { continuation in
                loop.execute {
                    _ = channel.push(message)
                    loop.execute {
                        continuation.resume(returning: consumer.assumeIsolated { !$0.isWaiting })
                    }
                }
            }
            #expect(isServed)
            #expect(try await next == message)
        }
    }

    @Test func aCancelledConsumerTakesNothing() async throws {
        try await withLoop { loop in
            let channel = SubscriptionChannel(policy: .suspend(2), eventLoop: loop) {}
            _ = channel.push(try .test("a", "1"))
            let consumer = Consumer(on: loop)
            let taken = try await withThrowingTaskGroup(of: MQTTMessage?.self) { group in
                group.cancelAll()
                group.addTask { try await consumer.next(of: channel) }
                return try await group.next() ?? nil
            }
            #expect(taken == nil)
            let left = try await consumer.next(of: channel)
            #expect(left?.payload == Array("1".utf8))
        }
    }
}

/// Consumes on an event loop.
private actor Consumer {
    private let loop: MQTTEventLoop
    private(set) var isWaiting = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: MQTTEventLoop) {
        self.loop = loop
    }

    func next(of channel: SubscriptionChannel) async throws -> MQTTMessage? {
        isWaiting = true
        for waiter in waiters { waiter.resume() }
        waiters = []
        defer { isWaiting = false }
        return try await SubscriptionConsumer(of: channel).next(isolation: self).get()
    }

    /// Returns once ``next(of:)`` has found nothing to take.
    func waits() async {
        if !isWaiting { await withCheckedContinuation { waiters.append($0) } }
    }
}

/// Takes messages with copies of one iterator.
private actor Reader {
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private nonisolated let loop: MQTTEventLoop
    private let iterator: MQTTSubscription.Iterator
    private var begun = 0

    init(_ subscription: MQTTSubscription, on loop: MQTTEventLoop) {
        self.loop = loop
        iterator = subscription.makeAsyncIterator()
    }

    func next() async throws -> MQTTMessage? {
        begun += 1
        var own = iterator
        return try await own.next(isolation: self)
    }

    /// Returns once so many have found nothing to take.
    func waits(for count: Int) async {
        while begun < count { await Task.yield() }
    }
}
