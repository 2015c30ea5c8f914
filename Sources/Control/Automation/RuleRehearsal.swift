internal import HomeModel

/// What a rule would have done in the recorded past.
public struct RuleRehearsal: Hashable, Sendable {
    /// The rule.
    public let rule: Rule
    /// The runs, oldest first.
    public var runs: [RuleRun] = []
    /// How many devices it is about, as far as the ledger knows them.
    public var deviceCount = 0
    /// How many samples and facts of them were looked at.
    public var recordCount = 0
    /// Members that the rule asks for and no sample has: what devices say in their state is not recorded.
    public var unrecorded: Set<String>
    /// Whether some of the samples were means, in which short peaks do not show.
    public var hasMeans = false

    package init(of rule: Rule) {
        self.rule = rule
        unrecorded = Set(rule.plan.conditions.map(\.member))
        if case .comparison(let condition) = rule.plan.trigger {
            unrecorded.insert(condition.member)
        }
    }
}
