public import DeviceControl
public import DeviceDomain

/// Keeps the rules of homes and their runs, shared by every process of the ledger.
///
/// Each method is one use case and one transaction.
public protocol RuleRepository: Sendable {
    /// Adds a rule.
    /// - Returns: `nil` where there is one of that name; nothing is added then.
    func add(
        _ plan: RulePlan, of controller: ControllerID, in home: HomeID, from moment: Timestamp
    ) async throws(LedgerError) -> Rule?

    /// The rules of a controller in a home, in the order in which they were added.
    func rules(of controller: ControllerID, in home: HomeID) async throws(LedgerError) -> [Rule]

    /// Removes a rule. Its runs stay.
    /// - Returns: whether there was one.
    func remove(_ id: RuleID) async throws(LedgerError) -> Bool

    /// Lets rules run no more, until they are resumed. One that is paused already stays as it is.
    func pause(_ ids: [RuleID], _ pause: RulePause) async throws(LedgerError)

    /// Lets a rule run again, from a moment on and as if it had seen no device yet. One that is not paused stays as it is.
    func resume(_ id: RuleID, from moment: Timestamp) async throws(LedgerError)

    /// What is remembered of the rules of a controller in a home.
    func watches(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [RuleWatchKey: RuleWatch]

    /// Remembers what is to be remembered of rules that are still there.
    func remember(_ watches: [RuleWatchKey: RuleWatch]) async throws(LedgerError)

    /// Takes a run, unless somebody has taken it for the same occasion, or the rule is gone or paused.
    /// - Returns: its number; `nil` where it is not the caller's.
    func begin(
        _ run: RuleRun, _ key: RuleWatchKey, _ watch: RuleWatch
    ) async throws(LedgerError) -> RuleRunID?

    /// Writes down what became of a run, for people.
    func end(_ run: RuleRunID, _ outcome: String, at moment: Timestamp) async throws(LedgerError)

    /// The runs that were taken and have not ended, oldest first.
    func openRuns(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [RecordedRun]

    /// A run, as long as it is kept.
    func run(_ id: RuleRunID) async throws(LedgerError) -> RecordedRun?
}

/// Names a run of a rule in its ledger.
public struct RuleRunID: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let number: Int

    public init(number: Int) { self.number = number }

    public var description: String { String(number) }
}

/// A run of a rule as the ledger has it.
public struct RecordedRun: Hashable, Sendable, Identifiable {
    /// How many runs are kept of a rule.
    public static let mostPerRule = 1_000

    public let id: RuleRunID
    /// What let it run. Of its chain only the rule itself is kept.
    public let run: RuleRun
    /// What the rule was called.
    public let name: GivenName
    /// What became of it, for people; `nil` while it is open.
    public let outcome: String?

    public init(id: RuleRunID, run: RuleRun, name: GivenName, outcome: String?) {
        self.id = id
        self.run = run
        self.name = name
        self.outcome = outcome
    }

    /// The cause of the commands of a run, by which they are found in the ledger.
    public static func cause(rule: RuleID, run: RuleRunID) -> String { "rule:\(rule):\(run)" }

    /// The run whose commands have a cause; `nil` for another cause.
    public static func id(ofCause cause: String?) -> RuleRunID? {
        let parts = cause?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        guard parts.count == 3, parts[0] == "rule", let number = Int(parts[2]) else { return nil }
        return RuleRunID(number: number)
    }
}
