internal import Basics
internal import Connectivity
package import DeviceDomain
package import Homeport

/// Tells the user what rules have to say: by a program, over HTTPS, in the browser, and as often as the configuration
/// allows.
package final class Notifier: Sendable {
    private let home: HomeID
    private let ways: [any NotificationWay]
    private let most: Int
    private let clock: any CommandClock
    private let report: @Sendable (String) -> Void
    private let limit: Guarded<NotificationLimit>
    /// Speaks when the first notification of several was dropped.
    private let drops: BoundedStream<Void>
    private let dropSource: StreamSource<Void>

    /// - Parameters:
    ///   - configured: how the user wants to be told.
    ///   - browser: shows on the pages of the home what the user is told: the name of the rule, or `nil` where no
    ///     rule tells it, the text, and when that took place (wire clock); `nil` where there are no pages.
    ///   - report: gets what is to be said of it, such as that a program failed.
    package convenience init(
        _ configured: ConfiguredNotifications,
        showing browser: (@Sendable (GivenName?, String, Timestamp) async -> Void)? = nil,
        for home: HomeID, clock: any CommandClock,
        reporting report: @escaping @Sendable (String) -> Void
    ) {
        var ways: [any NotificationWay] = []
        if let command = configured.command { ways.append(NotificationProgram(command)) }
        if let url = configured.url { ways.append(NotificationAddress(url)) }
        if let browser { ways.append(NotificationPage(show: browser)) }
        self.init(
            over: ways, most: configured.mostPerHour, for: home, clock: clock, reporting: report)
    }

    init(
        over ways: [any NotificationWay], most: Int, for home: HomeID, clock: any CommandClock,
        reporting report: @escaping @Sendable (String) -> Void
    ) {
        self.home = home
        self.ways = ways
        self.most = most
        self.clock = clock
        self.report = report
        limit = Guarded(NotificationLimit(most: most))
        (drops, dropSource) = BoundedStream.make(.dropOldest(limit: 1))
    }

    /// Tells the user, and returns when that is done or has failed; what is too much for an hour is dropped.
    package func notify(_ notification: RuleNotification) async {
        let elapsed = clock.now.elapsed
        let (isAdmitted, isFirst) = limit.withLock { limit in
            (limit.admit(at: elapsed), limit.dropped == 1)
        }
        guard isAdmitted else {
            if isFirst {
                report("\(most) notifications have left in an hour; more are dropped for now")
                dropSource.send(())
            }
            return
        }
        await deliver(RuleMessage(notification))
    }

    /// Tells once how many notifications were dropped, as soon as one may leave again, until the task is cancelled.
    package func run() async {
        for await _ in drops {
            while !Task.isCancelled, limit.withLock({ $0.dropped }) > 0 {
                let now = clock.now
                if let dropped = limit.withLock({ $0.takeDropped(at: now.elapsed) }) {
                    await deliver(RuleMessage(dropped: dropped, in: home, at: now.wall))
                } else if let opening = limit.withLock({ $0.opening(at: now.elapsed) }) {
                    await clock.sleep(until: opening)
                }
            }
        }
    }

    private func deliver(_ message: RuleMessage) async {
        await withDiscardingTaskGroup { group in
            for way in ways {
                group.addTask {
                    guard let failure = await way.deliver(message) else { return }
                    self.report("not told by \(way.name): \(failure)")
                }
            }
        }
    }
}

/// A way to the user.
protocol NotificationWay: Sendable {
    /// What it is, for people.
    var name: String { get }

    /// Delivers a message, in ten seconds at most.
    /// - Returns: why it failed; `nil` where it did not.
    func deliver(_ message: RuleMessage) async -> String?
}

/// The pages of the home in a browser.
struct NotificationPage: NotificationWay {
    let show: @Sendable (GivenName?, String, Timestamp) async -> Void

    var name: String { "the dashboard" }

    func deliver(_ message: RuleMessage) async -> String? {
        await show(message.rule, message.event, message.at)
        return nil
    }
}
