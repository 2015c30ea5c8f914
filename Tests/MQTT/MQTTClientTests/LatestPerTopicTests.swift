import TestSupport
import Testing

@testable import MQTTClient

@Suite(.timeLimit(.minutes(1)))
struct LatestPerTopicTests {
    @Test func aNewerMessageTakesThePlaceOfTheOlder() throws {
        var buffer = SubscriptionBuffer<Int>(policy: .latestPerTopic(10))
        let pushes = try [("a", "1"), ("b", "2"), ("a", "3"), ("b", "4"), ("c", "5")].map {
            if case .countDrop = buffer.push(try .test($0.0, $0.1)) { true } else { false }
        }
        #expect(pushes == [false, false, true, true, false])
        #expect(taken(&buffer) == ["a 3", "b 4", "c 5"])
        #expect(buffer.dropped == 2)
    }

    @Test func aTopicTakenOutWaitsAnew() throws {
        var buffer = SubscriptionBuffer<Int>(policy: .latestPerTopic(10))
        _ = buffer.push(try .test("a", "1"))
        _ = buffer.push(try .test("b", "2"))
        guard case .take(let first, _) = buffer.pop(0) else {
            Issue.record("a message waits")
            return
        }
        #expect(first.topic.rawValue == "a")
        _ = buffer.push(try .test("a", "3"))
        #expect(taken(&buffer) == ["b 2", "a 3"])
        #expect(buffer.dropped == 0)
    }

    @Test func beyondTheBoundTheTopicThatWaitsLongestGoes() throws {
        var buffer = SubscriptionBuffer<Int>(policy: .latestPerTopic(2))
        for (topic, text) in [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4")] {
            _ = buffer.push(try .test(topic, text))
        }
        #expect(buffer.count == 2)
        #expect(taken(&buffer) == ["b 2", "c 4"])
        #expect(buffer.dropped == 2)
    }

    @Test func aSlowConsumerSeesTheLatestStateOfEveryTopic() async throws {
        try await withBroker { broker in
            try await withClient(broker.port) { client in
                let states = try await client.subscribe(
                    to: [.test("state/+")], buffering: .latestPerTopic())
                let rest = try await client.subscribe(to: [.test("done")])
                for round in 1...50 {
                    for device in 1...4 {
                        try await client.publish(.test("state/\(device)", "\(round)"))
                    }
                }
                try await client.publish(.test("done"))
                for try await _ in rest { break }
                var messages = states.makeAsyncIterator()
                for device in 1...4 {
                    let message = try #require(try await messages.next())
                    #expect(message.topic.rawValue == "state/\(device)")
                    #expect(message.payload == Array("50".utf8))
                }
                #expect(states.droppedMessages == 196)
                #expect(await client.drops[.bufferOverflow] == 196)
                #expect(await client.drops.total == 196)
            }
        }
    }

    private func taken(_ buffer: inout SubscriptionBuffer<Int>) -> [String] {
        var texts: [String] = []
        while case .take(let message, _) = buffer.pop(0) {
            texts.append("\(message.topic) \(String(decoding: message.payload, as: UTF8.self))")
        }
        _ = buffer.cancel { _ in true }
        return texts
    }
}
