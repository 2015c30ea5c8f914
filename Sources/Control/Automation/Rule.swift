public import DeviceDomain

/// Names a rule in its ledger: a number above zero that is never used again.
public struct RuleID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number.
    public let number: Int

    public init(number: Int) { self.number = number }

    /// Reads a whole number above zero; `nil` for anything else.
    public init?(_ text: String) {
        guard let number = Int(text), number > 0, String(number) == text else { return nil }
        self.number = number
    }

    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    public var description: String { String(number) }
}

/// What a user has said is to be done when something happens, and what became of it.
public struct Rule: Hashable, Sendable, Identifiable {
    public let id: RuleID
    /// What the user has said.
    public let plan: RulePlan
    /// When it was added, or resumed last (wire clock): what was due before does not count.
    public var since: Timestamp
    /// Why it does not run; `nil` where it does.
    public var pause: RulePause?
    /// The last run; `nil` for none.
    public var lastRun: LastRun?

    /// The last run of a rule.
    public struct LastRun: Hashable, Sendable {
        /// When it was (wire clock).
        public let at: Timestamp
        /// Why it took place, for people.
        public let cause: String

        public init(at: Timestamp, cause: String) {
            self.at = at
            self.cause = cause
        }
    }

    public init(
        id: RuleID, plan: RulePlan, since: Timestamp, pause: RulePause? = nil,
        lastRun: LastRun? = nil
    ) {
        self.id = id
        self.plan = plan
        self.since = since
        self.pause = pause
        self.lastRun = lastRun
    }
}

/// A rule does not run, from a moment on.
public struct RulePause: Hashable, Sendable {
    /// Since when (wire clock).
    public let at: Timestamp
    /// Why, where Homeport has paused it; `nil` where the user has.
    public let reason: String?

    public init(at: Timestamp, reason: String? = nil) {
        self.at = at
        self.reason = reason
    }
}
