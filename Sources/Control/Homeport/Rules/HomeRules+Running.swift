internal import Automation
package import DeviceControl
internal import DeviceDomain

extension HomeRules {
    /// Runs the rules until the task is cancelled. It observes the home for that.
    ///
    /// Of several processes that do this on one ledger one runs the rules; when it ends, in whatever way, another one
    /// goes on. Each occasion runs a rule once.
    /// - Parameters:
    ///   - notify: tells the user what a rule has to say.
    ///   - report: is told what became of each run, and what fails.
    /// - Throws: ``HomeError`` `ledger`, `notRunning`.
    public func run(
        notifying notify: @escaping @Sendable (RuleNotification) async -> Void,
        _ report: @escaping @Sendable (RuleNotice) -> Void
    ) async throws(HomeError) {
        try await run(in: .system, notifying: notify, report)
    }

    /// As ``run(notifying:_:)``, in another time zone.
    package func run(
        in calendar: LocalCalendar,
        notifying notify: @escaping @Sendable (RuleNotification) async -> Void,
        _ report: @escaping @Sendable (RuleNotice) -> Void
    ) async throws(HomeError) {
        let storage = try await commands.lifetime.storage()
        let observation = commands.observation
        observation.observe(.everyDevice)
        let runner = RuleRunner(
            storage.rules, of: (controller, home), in: observation.live, clock: clock,
            calendar: calendar, at: location,
            carrying: RuleCarrying(commands: commands, notify: notify), reporting: report)
        await runner.run { () throws(LedgerError) in
            try storage.take("rules-\(home)-\(controller)")
        }
    }
}
