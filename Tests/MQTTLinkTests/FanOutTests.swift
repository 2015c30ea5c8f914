import Locking
import MQTTClient
import Testing

@testable import MQTTLink

@Suite struct FanOutTests {
    private var fanOut = FanOut()

    /// The topics that a sink got.
    private final class Record: Sendable {
        private let topics = Guarded<[String]>([])
        var received: [String] { topics.withLock { $0 } }

        func sink() -> MQTTSink {
            MQTTSink(deliver: { message in
                self.topics.withLock { $0.append(message.topic.rawValue) }
            })
        }
    }

    private mutating func deliver(_ topics: String...) {
        for topic in topics {
            for sink in fanOut.sinks(of: message(topic).topic) { sink.deliver(message(topic)) }
        }
    }

    @Test mutating func aSinkGetsAMessageOnceHoweverManyFiltersMatch() {
        let record = Record()
        let sink = record.sink()
        fanOut.add(MQTTLinkSubscription(number: 1), [filter("a/b"), filter("a/+")], to: sink)
        fanOut.add(MQTTLinkSubscription(number: 2), [filter("#")], to: sink)
        deliver("a/b", "c")
        #expect(record.received == ["a/b", "c"])
    }

    @Test mutating func everySinkGetsTheMessagesThatMatchAndNoMore() {
        let (first, second) = (Record(), Record())
        fanOut.add(MQTTLinkSubscription(number: 1), [filter("a/+")], to: first.sink())
        fanOut.add(MQTTLinkSubscription(number: 2), [filter("+/b")], to: second.sink())
        deliver("a/b", "a/c", "c/b", "c/c")
        #expect(first.received == ["a/b", "a/c"])
        #expect(second.received == ["a/b", "c/b"])
    }

    @Test(arguments: [
        "#", "+/#", "a/#", "a/b/#", "a/b/c/#", "+/b/c", "a/+/c", "a/b/+", "$share/g/a/+/c",
    ])
    mutating func aWildcardAtAnyLevelMatches(_ text: String) {
        let record = Record()
        let subscription = MQTTLinkSubscription(number: 1)
        fanOut.add(subscription, [filter(text)], to: record.sink())
        deliver("a/b/c", "b/c")
        #expect(record.received.first == "a/b/c")
        #expect(record.received.contains("b/c") == ["#", "+/#"].contains(text))
        #expect(fanOut.remove(subscription) == [filter(text)])
        deliver("a/b/c", "a/b/c/d")
        #expect(!record.received.dropFirst().contains("a/b/c"))
    }

    @Test mutating func aKnownTopicReachesNewSinksAndNoRemovedOnes() {
        let (first, second) = (Record(), Record())
        fanOut.add(MQTTLinkSubscription(number: 1), [filter("a")], to: first.sink())
        deliver("a")
        fanOut.add(MQTTLinkSubscription(number: 2), [filter("a")], to: second.sink())
        deliver("a")
        #expect(fanOut.remove(MQTTLinkSubscription(number: 1)) == [filter("a")])
        deliver("a")
        #expect(first.received == ["a", "a"])
        #expect(second.received == ["a", "a"])
    }

    @Test mutating func aSubscriptionIsRemovedOnce() {
        #expect(fanOut.isEmpty)
        fanOut.add(
            MQTTLinkSubscription(number: 1), [filter("a"), filter("b")], to: Record().sink())
        #expect(!fanOut.isEmpty)
        #expect(fanOut.filters(of: MQTTLinkSubscription(number: 1)) == [filter("a"), filter("b")])
        #expect(fanOut.remove(MQTTLinkSubscription(number: 1)) == [filter("a"), filter("b")])
        #expect(fanOut.remove(MQTTLinkSubscription(number: 1)) == [])
        #expect(fanOut.filters(of: MQTTLinkSubscription(number: 1)) == nil)
        #expect(fanOut.isEmpty)
    }
}
