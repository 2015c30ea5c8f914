import Connectivity
import DeviceDomain
import Testing

/// Failover and fail-back as a value.
@Suite struct ChannelSelectionTests {
    private typealias Way = ChannelSelection.Way

    private let matter: ChannelID
    private let mqtt: ChannelID
    private var selection = ChannelSelection()

    init() throws {
        matter = try ChannelID("matter")
        mqtt = try ChannelID("mqtt")
    }

    private mutating func see(_ first: Way, _ second: Way, at seconds: Int) -> ChannelID? {
        selection.update([(matter, first), (mqtt, second)], at: .seconds(seconds))
        return selection.channel
    }

    @Test mutating func theBestChannelThatLeadsThereIsUsed() {
        #expect(see(.unknown, .unknown, at: 0) == matter)
        #expect(selection.reason == .noneIsUp)
        #expect(see(.unknown, .up, at: 1) == mqtt)
        // It was never down, so it need not prove itself.
        #expect(see(.up, .up, at: 2) == matter)
        #expect(selection.reason == .best)
        #expect(selection.nextReview == nil)
    }

    @Test mutating func anotherChannelIsUsedAtOnceAndTheBetterOneAfterAMinute() {
        #expect(see(.up, .up, at: 0) == matter)
        #expect(see(.down, .up, at: 10) == mqtt)
        #expect(selection.reason == .insteadOf(matter))
        #expect(see(.up, .up, at: 20) == mqtt)
        #expect(selection.reason == .until(matter, at: .seconds(80)))
        #expect(selection.nextReview == .seconds(80))
        #expect(see(.up, .up, at: 79) == mqtt)
        #expect(see(.up, .up, at: 80) == matter)
        #expect(selection.reason == .best)
    }

    @Test mutating func aLinkThatComesAndGoesBeginsItsMinuteAgain() {
        #expect(see(.up, .up, at: 0) == matter)
        #expect(see(.down, .up, at: 1) == mqtt)
        #expect(see(.up, .up, at: 2) == mqtt)
        #expect(see(.down, .up, at: 60) == mqtt)
        #expect(see(.up, .up, at: 61) == mqtt)
        #expect(see(.up, .up, at: 120) == mqtt)
        #expect(see(.up, .up, at: 121) == matter)
    }

    @Test mutating func whatIsHeardAgainAfterALossMustProveItself() {
        #expect(see(.up, .up, at: 0) == matter)
        #expect(see(.down, .up, at: 1) == mqtt)
        #expect(see(.unknown, .up, at: 2) == mqtt)
        #expect(see(.up, .up, at: 100) == mqtt)
        #expect(see(.up, .up, at: 160) == matter)
    }

    @Test mutating func withoutAWayTheLastChannelStays() {
        #expect(see(.down, .up, at: 0) == mqtt)
        #expect(see(.down, .down, at: 1) == mqtt)
        #expect(selection.reason == .noneIsUp)
        // Whichever leads there first; nothing is to be gained by waiting.
        #expect(see(.up, .down, at: 2) == matter)
        #expect(see(.up, .up, at: 3) == matter)
    }

    @Test mutating func aChannelThatMayNotBeUsedAnyMoreIsLeft() {
        #expect(see(.down, .up, at: 0) == mqtt)
        let hasMoved = selection.update([(matter, .down)], at: .seconds(1))
        #expect(hasMoved)
        #expect(selection.channel == matter)
    }

    /// Every course of six looks at three channels, 30 s apart, against the rules in other words.
    @Test func everyCourseFollowsTheRules() throws {
        let channels = [matter, mqtt, try ChannelID("cloud")]
        let looks = Self.looks
        var courses = 0
        func follow(_ selection: ChannelSelection, _ history: [[Way]], depth: Int) {
            for look in looks {
                var next = selection
                let time = Duration.seconds(30 * history.count)
                next.update(Array(zip(channels, look)).map { ($0, $1) }, at: time)
                let after = history + [look]
                expectRules(channels, from: selection, to: next, after)
                courses += 1
                if depth > 1 { follow(next, after, depth: depth - 1) }
            }
        }
        follow(ChannelSelection(), [], depth: 4)
        #expect(courses > 20_000)
    }

    /// Each channel up or down, or the first two unknown as well.
    private static let looks: [[Way]] = {
        let firsts: [Way] = [.up, .down, .unknown]
        return firsts.flatMap { first in
            firsts.flatMap { second in [[first, second, .up], [first, second, .down]] }
        }
    }()

    private func expectRules(
        _ channels: [ChannelID], from former: ChannelSelection, to next: ChannelSelection,
        _ history: [[Way]]
    ) {
        guard let look = history.last, let used = next.channel.flatMap(channels.firstIndex) else {
            Issue.record("no channel after \(history)")
            return
        }
        let isSomeUp = look.contains(.up)
        #expect(!isSomeUp || look[used] == .up, "\(used) is used after \(history)")
        guard isSomeUp, let before = former.channel.flatMap(channels.firstIndex), before != used
        else { return }
        guard look[before] == .up else { return }
        // It was left although it leads there: for a better one that has been up for a minute, or always.
        #expect(used < before, "\(before) was left for \(used) after \(history)")
        let course = history.map { $0[used] }
        let lastBreak = course.lastIndex { $0 != .up } ?? -1
        let wasNeverDown = !course.contains(.down) && !brokeOff(course)
        let upFor = 30 * (course.count - 1 - (lastBreak + 1))
        #expect(wasNeverDown || upFor >= 60, "\(used) is used again after \(history)")
    }

    /// Whether a channel was up and then was not.
    private func brokeOff(_ course: [Way]) -> Bool {
        guard let first = course.firstIndex(of: .up) else { return false }
        return course[first...].contains { $0 != .up }
    }
}
