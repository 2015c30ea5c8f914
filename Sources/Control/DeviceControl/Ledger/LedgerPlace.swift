/// A place in the log of a ledger. What its number means, only the ledger knows that gave it; a later place of the same
/// log is greater.
public struct LedgerPlace: Hashable, Comparable, Sendable {
    /// As the ledger has it.
    package let number: Int

    /// A place of a ledger.
    public init(_ number: Int) { self.number = number }

    public static func < (one: LedgerPlace, other: LedgerPlace) -> Bool {
        one.number < other.number
    }
}
