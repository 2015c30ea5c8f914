/// The log of a ledger as evidence: every entry names the hash of the entry before it, so that an entry
/// that was changed, removed or inserted later shows.
///
/// It tells accidents and unnoticed edits from what was written. Whoever may write the whole file can
/// make a new chain; to notice that too, keep the `hash` of the last entry elsewhere.
public protocol AuditLog: Sendable {
    /// Entries in their order, from the one after `number` on.
    func entries(after number: Int, limit: Int) async throws(LedgerError) -> [AuditEntry]

    /// Checks the whole chain, and the commands of the ledger against it, as far as their entries tell. Of a command
    /// with redacted arguments, these and its bytes cannot be checked.
    func verify() async throws(LedgerError) -> AuditReport
}

/// An entry of the audit log.
public struct AuditEntry: Hashable, Sendable {
    /// Its place, from 1 on, without gaps.
    public let number: Int
    /// SHA-256 of ``line`` up to `,"hash":`, in hexadecimal digits.
    public let hash: String
    /// The entry as a JSON object on one line.
    ///
    /// Its members are `n`, `previous` (the hash of the entry before; zeros before the first), `at`
    /// (wire clock), `command`, `kind`, `cause`, `state`, `detail`, `raw` (SHA-256 of the bytes as they
    /// came from the wire, `null` where there were none) and `hash`.
    public let line: String

    public init(number: Int, hash: String, line: String) {
        self.number = number
        self.hash = hash
        self.line = line
    }
}

/// What a check of the audit log found.
public struct AuditReport: Hashable, Sendable {
    /// Something that is not as it was written.
    public struct Problem: Hashable, Sendable {
        /// The entry that it is about. Where a command has none, the one that would come next.
        public let number: Int
        /// What is wrong, for people.
        public let reason: String

        public init(number: Int, reason: String) {
            self.number = number
            self.reason = reason
        }
    }

    /// How many entries there are.
    public let entries: Int
    /// What is wrong, in the order of the entries, at most ``longestList``; empty for a log as it was
    /// written.
    public let problems: [Problem]

    /// How many problems a report holds at most.
    public static let longestList = 100

    /// Whether nothing is wrong.
    public var isIntact: Bool { problems.isEmpty }

    public init(entries: Int, problems: [Problem]) {
        self.entries = entries
        self.problems = problems
    }
}
