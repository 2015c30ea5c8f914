import Automation
import Basics
import DeviceDomain
import Homeport
import HomeportTesting
import Testing

@testable import Notifications

@Suite(.timeLimit(.minutes(1))) struct NotifierTests {
    private let clock = ManualClock()
    private let way = RecordingWay()
    private let reports = Reports()
    private let home = HomeID.literal("home-1")

    @Test func aNotificationGoesOverEveryWay() async throws {
        let other = RecordingWay(failure: "it is out of order")
        let notifier = notifier(over: [way, other], most: 5)
        await notifier.notify(try notification("Robbie reported stuck"))
        let expected = RuleMessage(try notification("Robbie reported stuck"))
        #expect(expected.text == "stuck robots: Robbie reported stuck")
        #expect(
            String(decoding: expected.json, as: UTF8.self)
                == #"{"at":1764000000000,"device":"sweeper-1","home":"home-1","name":"stuck robots","rule":"3","text":"stuck robots: Robbie reported stuck"}"#
        )
        #expect(way.messages == [expected])
        #expect(other.messages == [expected])
        #expect(reports.all == ["not told by a recorder: it is out of order"])
    }

    @Test func pagesGetTheNameOfTheRuleApart() async throws {
        let page = NotificationPage { [reports] rule, text, _ in
            reports.add("\(rule?.text ?? "no rule") | \(text)")
        }
        _ = await page.deliver(RuleMessage(try notification("Robbie reported stuck")))
        _ = await page.deliver(RuleMessage(dropped: 7, in: home, at: clock.now.wall))
        #expect(
            reports.all == [
                "stuck robots | Robbie reported stuck",
                "no rule | 7 more were dropped in the last hour",
            ])
    }

    @Test func aFloodIsCutAndToldOnce() async throws {
        let notifier = notifier(over: [way], most: 3)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await notifier.run() }
            for number in 0..<100 { await notifier.notify(try notification("\(number)")) }
            #expect(way.messages.count == 3)
            #expect(
                reports.all
                    == ["3 notifications have left in an hour; more are dropped for now"])
            clock.advance(by: await clock.sleeper(within: .seconds(3_600)))
            while way.messages.count < 4 { await Task.yield() }
            #expect(way.messages[3].text == "97 more were dropped in the last hour")
            await notifier.notify(try notification("again"))
            #expect(way.messages.last?.text == "stuck robots: again")
            group.cancelAll()
        }
    }

    private func notifier(over ways: [any NotificationWay], most: Int) -> Notifier {
        Notifier(over: ways, most: most, for: home, clock: clock) { text in
            reports.add(text)
        }
    }

    private func notification(_ text: String) throws -> RuleNotification {
        RuleNotification(
            home: home, rule: RuleID(number: 3), name: try GivenName("stuck robots"),
            device: .literal("sweeper-1"), at: clock.now.wall, text: text)
    }
}

/// What was said of notifications.
private final class Reports: Sendable {
    private let said = Guarded<[String]>([])

    var all: [String] { said.withLock { $0 } }

    func add(_ text: String) { said.withLock { $0.append(text) } }
}

/// A way that only records.
private final class RecordingWay: NotificationWay {
    let name = "a recorder"
    private let failure: String?
    private let delivered = Guarded<[RuleMessage]>([])

    init(failure: String? = nil) { self.failure = failure }

    var messages: [RuleMessage] { delivered.withLock { $0 } }

    func deliver(_ message: RuleMessage) async -> String? {
        delivered.withLock { $0.append(message) }
        return failure
    }
}
