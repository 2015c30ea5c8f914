package import DeviceDomain

/// A process that works with a shared ledger and may own homes, as the ledger knows it. One that ends in order is
/// forgotten; of one that does not, it is known for a day.
package struct LedgerInstance: Hashable, Sendable {
    /// What people call it.
    package let name: String
    /// Whether its lease lasts.
    package let isAlive: Bool
    /// How many homes it owns: of one that is not alive, those that nobody has taken yet.
    package let homes: Int
    /// When its lease ends or has ended, by the clock of the database.
    package let expiresAt: Timestamp

    /// An instance of a ledger.
    package init(name: String, isAlive: Bool, homes: Int, expiresAt: Timestamp) {
        self.name = name
        self.isAlive = isAlive
        self.homes = homes
        self.expiresAt = expiresAt
    }
}

/// Which homes an instance takes that drives several.
package enum ServedHomes: Hashable, Sendable {
    /// Every home of the ledger, also those that come later.
    case all
    /// These alone.
    case only(Set<HomeID>)

    /// Whether a home is among them.
    package func include(_ home: HomeID) -> Bool {
        switch self {
        case .all: true
        case .only(let homes): homes.contains(home)
        }
    }
}
