import Locking
import MQTTClient
import Testing

@testable import MQTTLink

@Suite struct FanOutTests {
    private var fanOut = FanOut()

    /// The topics that a sink got.
    private final class Record: Sendable {
        private let topics = Guarded<[String]>([])
        var heard: [String] { topics.withLock { $0 } }

        func sink() -> MQTTSink {
            MQTTSink { message in self.topics.withLock { $0.append(message.topic.rawValue) } }
        }
    }

    private mutating func deliver(_ topics: String...) {
        for topic in topics {
            for sink in fanOut.sinks(of: message(topic).topic) { sink.deliver(message(topic)) }
        }
    }

    @Test mutating func aSinkGetsAMessageOnceHoweverManyWishesNameIt() {
        let record = Record()
        let sink = record.sink()
        fanOut.add(MQTTWish(number: 1), [filter("a/b"), filter("a/+")], to: sink)
        fanOut.add(MQTTWish(number: 2), [filter("#")], to: sink)
        deliver("a/b", "c")
        #expect(record.heard == ["a/b", "c"])
    }

    @Test mutating func everySinkGetsWhatItWantsAndNoMore() {
        let (first, second) = (Record(), Record())
        fanOut.add(MQTTWish(number: 1), [filter("a/+")], to: first.sink())
        fanOut.add(MQTTWish(number: 2), [filter("+/b")], to: second.sink())
        deliver("a/b", "a/c", "c/b", "c/c")
        #expect(first.heard == ["a/b", "a/c"])
        #expect(second.heard == ["a/b", "c/b"])
    }

    @Test mutating func aTopicThatWasHeardBeforeReachesLaterWishesAndNoEarlierOnes() {
        let (first, second) = (Record(), Record())
        fanOut.add(MQTTWish(number: 1), [filter("a")], to: first.sink())
        deliver("a")
        fanOut.add(MQTTWish(number: 2), [filter("a")], to: second.sink())
        deliver("a")
        #expect(fanOut.remove(MQTTWish(number: 1)) == [filter("a")])
        deliver("a")
        #expect(first.heard == ["a", "a"])
        #expect(second.heard == ["a", "a"])
    }

    @Test mutating func aWishIsRemovedOnce() {
        #expect(fanOut.isEmpty)
        fanOut.add(MQTTWish(number: 1), [filter("a"), filter("b")], to: Record().sink())
        #expect(!fanOut.isEmpty)
        #expect(fanOut.filters(of: MQTTWish(number: 1)) == [filter("a"), filter("b")])
        #expect(fanOut.remove(MQTTWish(number: 1)) == [filter("a"), filter("b")])
        #expect(fanOut.remove(MQTTWish(number: 1)) == [])
        #expect(fanOut.filters(of: MQTTWish(number: 1)) == nil)
        #expect(fanOut.isEmpty)
    }
}
