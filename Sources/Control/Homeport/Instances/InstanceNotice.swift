package import DeviceDomain
package import History

/// What an instance says while it drives homes.
package enum InstanceNotice: Sendable {
    /// It has looked for its share of the homes once.
    case ready(homes: Int)
    /// It has taken and given up homes, others have taken some from it because it was not heard for the time of its lease,
    /// and now it drives so many.
    case share(taken: Int, givenUp: Int, lost: Int, homes: Int)
    /// So many of its homes have no connection to their broker; the reason of one of them.
    case unconnected(Int, of: Int, HomeError?)
    /// What became of a run of a schedule.
    case schedule(HomeID, Result<ScheduleNotice, HomeError>)
    /// What is said of a rule.
    case rule(HomeID, RuleNotice)
    /// What is said of the history.
    case history(HistoryNotice)
    /// The ledger failed; nothing is sent while it does.
    case failed(HomeError)
    /// The ledger works again.
    case recovered
}

/// Who is told what an instance says, and what its rules do.
package struct InstanceHooks: Sendable {
    /// Is told what happens.
    let report: @Sendable (InstanceNotice) -> Void
    /// Tells the user what a rule has to say.
    let notify: @Sendable (RuleNotification) async -> Void

    package init(
        report: @escaping @Sendable (InstanceNotice) -> Void,
        notify: @escaping @Sendable (RuleNotification) async -> Void
    ) {
        self.report = report
        self.notify = notify
    }
}
