public import Automation
public import DeviceDomain

/// The rules of a home, as view models need them: what is done when something happens. They are kept with the home, and
/// its server runs them.
public protocol RuleService: Sendable {
    /// The rules, in the order in which they were added. It needs no connection.
    func rules() async throws(Failure) -> [Rule]
    /// Adds a rule.
    func addRule(_ plan: RulePlan) async throws(Failure)
    /// Lets a rule run no more, or again.
    func pauseRule(_ rule: RuleID, _ isPaused: Bool) async throws(Failure)
    /// Removes a rule.
    func removeRule(_ rule: RuleID) async throws(Failure)
    /// The run whose commands have a cause; `nil` where it is no run's, or not kept any more.
    func ruleRun(ofCause cause: String?) async throws(Failure) -> RecordedRun?
    /// What a rule would have done in a part of the recorded past. It needs no connection.
    func rehearseRule(
        _ rule: RuleID, from start: Timestamp, to end: Timestamp
    ) async throws(Failure) -> RuleRehearsal
}
