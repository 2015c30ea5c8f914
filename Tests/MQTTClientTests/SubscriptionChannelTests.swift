import TestSupport
import Testing

@testable import MQTTClient

/// The hand-over of messages to their consumer.
@Suite(.timeLimit(.minutes(1)))
struct SubscriptionChannelTests {
    @Test func takingAMessageStaysOnTheConsumersExecutor() async throws {
        try await withLoop { loop in
            let (places, sink) = AsyncStream.makeStream(of: Bool.self)
            let channel = SubscriptionChannel(policy: .suspend(2)) { sink.yield(loop.isCurrent) }
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
            let channel = SubscriptionChannel(policy: .suspend(2)) {}
            async let next = Consumer(on: loop).next(of: channel)
            _ = channel.push(try .test("a", "1"))
            let message = try await next
            #expect(message?.payload == Array("1".utf8))
        }
    }

    @Test func aCancelledConsumerTakesNothing() async throws {
        try await withLoop { loop in
            let channel = SubscriptionChannel(policy: .suspend(2)) {}
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

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: MQTTEventLoop) {
        self.loop = loop
    }

    func next(of channel: SubscriptionChannel) async throws -> MQTTMessage? {
        try await channel.next(isolation: self).get()
    }
}
