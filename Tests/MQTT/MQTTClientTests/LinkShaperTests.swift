import Basics
import Testing

@testable import MQTTClient

/// One direction of a link; times are milliseconds here.
@Suite struct LinkShaperTests {
    @Test func aClearLinkHoldsNothingBack() {
        var shaper = LinkShaper(.clear, seed: 1)
        shaper.add([1, 2, 3], at: 0)
        #expect(shaper.next == 0)
        #expect(shaper.take(at: 0) == [1, 2, 3])
        #expect(shaper.next == nil && !shaper.hasEnded)
    }

    @Test func aDelayedByteArrivesThatMuchLater() {
        var shaper = LinkShaper(.having { $0.delay = .milliseconds(250) }, seed: 1)
        shaper.add([1], at: 0)
        shaper.add([2], at: 100)
        #expect(shaper.take(at: 249).isEmpty)
        #expect(shaper.take(at: 250) == [1])
        #expect(shaper.nextMilliseconds == 350)
        #expect(shaper.take(at: 1000) == [2])
    }

    /// What comes while the line is busy waits behind what it carries.
    @Test func aSlowLinkCarriesOneSegmentAfterTheOther() {
        var shaper = LinkShaper(.having { $0.bytesPerSecond = 1448 }, seed: 1)
        shaper.add([UInt8](repeating: 1, count: 2896), at: 0)
        shaper.add([2], at: 500)
        #expect(shaper.take(at: 999).isEmpty)
        #expect(shaper.take(at: 1000).count == 1448)
        #expect(shaper.take(at: 1999).isEmpty)
        #expect(shaper.take(at: 2000).count == 1448)
        #expect(shaper.take(at: 2001) == [2])
        shaper.add([UInt8](repeating: 3, count: 724), at: 10_000)
        #expect(shaper.nextMilliseconds == 10_500, "an idle line begins anew")
    }

    @Test func jitterScattersWithinItsBoundsAndOvertakesNothing() {
        let conditions = LinkConditions.having {
            $0.delay = .milliseconds(100)
            $0.jitter = .milliseconds(50)
        }
        var times: [UInt64] = []
        for seed: UInt64 in 0..<200 {
            var shaper = LinkShaper(conditions, seed: seed)
            shaper.add([1], at: 0)
            times.append(shaper.nextMilliseconds ?? 0)
        }
        #expect(times.allSatisfy { (100...150).contains($0) })
        #expect(Set(times).count > 20)
        var shaper = LinkShaper(conditions, seed: 3)
        for byte: UInt8 in 0..<100 { shaper.add([byte], at: UInt64(byte)) }
        #expect(shaper.take(at: 1000) == Array(0..<100))
    }

    /// A lost segment is sent again after 200 ms, then after twice as long, and so on; others wait behind it.
    @Test func lossIsAStall() {
        var counts: [UInt64: Int] = [:]
        for seed: UInt64 in 0..<4000 {
            var shaper = LinkShaper(.having { $0.loss = 0.25 }, seed: seed)
            shaper.add([1], at: 0)
            counts[shaper.nextMilliseconds ?? .max, default: 0] += 1
        }
        let sums: Set<UInt64> = [0, 200, 600, 1400, 3000, 6200, 12_600, 25_400, 51_000]
        #expect(sums.isSuperset(of: counts.keys))
        #expect((2900...3100).contains(counts[0] ?? 0), "three quarters")
        #expect((650...850).contains(counts[200] ?? 0), "a quarter of the rest")
        #expect((130...240).contains(counts[600] ?? 0))
    }

    @Test func theWaitBeforeARepetitionCoversTheWayThereAndBack() {
        let conditions = LinkConditions.having {
            $0.loss = 0.5
            $0.delay = .milliseconds(300)
        }
        let times = (0..<100).map { seed in
            var shaper = LinkShaper(conditions, seed: UInt64(seed))
            shaper.add([1], at: 0)
            return shaper.nextMilliseconds ?? 0
        }
        #expect(Set(times).isSuperset(of: [300, 1100, 2700]))
    }

    @Test func aSegmentThatIsAlwaysLostArrivesAllTheSame() {
        var shaper = LinkShaper(.having { $0.loss = 1 }, seed: 1)
        shaper.add([1], at: 0)
        #expect(
            shaper.nextMilliseconds == 804_600, "15 waits of 0.2 s and more, each 120 s at most")
    }

    @Test func whatIsHeldArrivesAfterTheEnd() {
        var shaper = LinkShaper(.clear, seed: 1)
        shaper.change(to: .held, at: 0)
        shaper.add([1], at: 10)
        shaper.add([2], at: 20)
        shaper.end(at: 30)
        #expect(shaper.next == nil)
        #expect(shaper.take(at: 1_000_000).isEmpty && !shaper.hasEnded)
        shaper.change(to: .clear, at: 1_000_000 * LinkShaper.millisecond)
        #expect(shaper.take(at: 1_000_000) == [1, 2])
        #expect(shaper.hasEnded)
    }

    /// The end of a slow link does not leave what is on its way behind for hours.
    @Test func whatIsOnItsWaySetsOutAgainUnderNewConditions() {
        var shaper = LinkShaper(.having { $0.bytesPerSecond = 10 }, seed: 1)
        shaper.add([UInt8](repeating: 1, count: 10_000), at: 0)
        #expect(shaper.take(at: 100).isEmpty)
        shaper.change(to: .having { $0.delay = .milliseconds(5) }, at: 100 * LinkShaper.millisecond)
        #expect(shaper.take(at: 104).isEmpty)
        #expect(shaper.take(at: 105).count == 10_000)
    }

    @Test func theEndComesBehindTheLastByte() {
        var shaper = LinkShaper(.having { $0.delay = .milliseconds(100) }, seed: 1)
        shaper.add([1], at: 0)
        shaper.end(at: 50)
        shaper.end(at: 60)
        #expect(shaper.take(at: 100) == [1])
        #expect(!shaper.hasEnded)
        #expect(shaper.take(at: 150).isEmpty)
        #expect(shaper.hasEnded && shaper.next == nil)
    }

    @Test func onlySoMuchIsOnItsWay() {
        var shaper = LinkShaper(.held, seed: 1)
        #expect(shaper.room == 262_144)
        shaper.add([UInt8](repeating: 0, count: 200_000), at: 0)
        #expect(shaper.room == 62_144)
        shaper.add([UInt8](repeating: 0, count: 70_000), at: 0)
        #expect(shaper.room == 0)
        shaper.change(to: .clear, at: 0)
        #expect(shaper.take(at: 0).count == 270_000)
        #expect(shaper.room == 262_144)
    }

    /// Whatever the conditions and their changes, every byte arrives once and in order, none before it was sent, and
    /// a second link with the same seed does the same.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func nothingIsLostOrOvertaken(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var shapers = [LinkShaper(.clear, seed: seed), LinkShaper(.clear, seed: seed)]
        var (sent, received): ([UInt8], [UInt8]) = ([], [])
        var now: UInt64 = 0
        for _ in 0..<200 {
            switch UInt8.random(in: 0..<4, using: &generator) {
            case 0:
                let bytes = (0..<Int.random(in: 1...3000, using: &generator)).map {
                    UInt8(truncatingIfNeeded: sent.count + $0)
                }
                sent += bytes
                for index in shapers.indices { shapers[index].add(bytes[...], at: now) }
            case 1:
                let conditions = LinkConditions.random(using: &generator)
                for index in shapers.indices { shapers[index].change(to: conditions, at: now) }
            case 2: now += UInt64.random(in: 0...300, using: &generator) * LinkShaper.millisecond
            default: now = max(now, min(shapers[0].next ?? now, now + 10_000_000_000))
            }
            let due = shapers[0].next
            let arrived = shapers[0].release(at: now)
            #expect(shapers[1].release(at: now) == arrived)
            #expect(arrived.isEmpty == !(due.map { $0 <= now } ?? false))
            #expect(sent.dropFirst(received.count).starts(with: arrived))
            received += arrived
        }
        for index in shapers.indices {
            shapers[index].change(to: .clear, at: now)
            shapers[index].end(at: now)
        }
        received += shapers[0].release(at: now)
        #expect(received == sent && shapers[0].hasEnded)
    }
}

extension LinkShaper {
    /// In its own times.
    static let millisecond: UInt64 = 1_000_000

    /// When something arrives next.
    fileprivate var nextMilliseconds: UInt64? { next.map { $0 / Self.millisecond } }

    /// Bytes go in at a millisecond.
    fileprivate mutating func add(_ bytes: [UInt8], at milliseconds: UInt64) {
        add(bytes[...], at: milliseconds * Self.millisecond)
    }

    fileprivate mutating func end(at milliseconds: Int) {
        end(at: UInt64(milliseconds) * Self.millisecond)
    }

    /// Takes what has arrived by a millisecond.
    fileprivate mutating func take(at milliseconds: UInt64) -> [UInt8] {
        release(at: milliseconds * Self.millisecond)
    }
}

extension LinkConditions {
    /// Nothing gets through.
    static let held = LinkConditions.having { $0.passage = .held }
    /// The broker's side is gone.
    static let severed = LinkConditions.having { $0.passage = .severed }

    /// A clear link with some changes.
    static func having(_ change: (inout LinkConditions) -> Void) -> LinkConditions {
        var conditions = LinkConditions.clear
        change(&conditions)
        return conditions
    }

    fileprivate static func random(using generator: inout SeededGenerator) -> LinkConditions {
        having {
            if Bool.random(using: &generator) {
                $0.delay = .milliseconds(Int.random(in: 0...400, using: &generator))
            }
            if Bool.random(using: &generator) {
                $0.jitter = .milliseconds(Int.random(in: 0...200, using: &generator))
            }
            if Bool.random(using: &generator) {
                $0.bytesPerSecond = Double.random(in: 100...100_000, using: &generator)
            }
            if Bool.random(using: &generator) {
                $0.loss = Double.random(in: 0...0.4, using: &generator)
            }
            if UInt8.random(in: 0..<4, using: &generator) == 0 { $0.passage = .held }
        }
    }
}
