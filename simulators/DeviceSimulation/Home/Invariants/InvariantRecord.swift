package import DeviceDomain

/// An invariant that did not hold.
package struct InvariantViolation: Hashable, Sendable {
    /// What did not hold.
    package let invariant: Invariant
    /// The home.
    package let home: HomeID
    /// The device; where it is the home's, its first store.
    package let device: DeviceID
    /// The instant (world clock).
    package let at: Timestamp
    /// What was found instead, for people.
    package let text: String

    package init(
        invariant: Invariant, home: HomeID, device: DeviceID, at: Timestamp, text: String
    ) {
        self.invariant = invariant
        self.home = home
        self.device = device
        self.at = at
        self.text = text
    }
}

/// What was found of the invariants in homes.
package struct InvariantRecord: Sendable {
    /// How often one invariant did not hold.
    package struct Entry: Hashable, Sendable {
        /// In how many looks.
        package internal(set) var violations: Int
        /// The first time.
        package internal(set) var first: InvariantViolation
    }

    /// Names an invariant of a device: of each, the first violation is told.
    private struct Told: Hashable {
        let invariant: String
        let device: DeviceID
    }

    /// By the name of the invariant.
    package private(set) var entries: [String: Entry] = [:]
    private var told: Set<Told> = []
    private var news: [InvariantViolation] = []

    package init() {}

    /// Whether all invariants held.
    package var isClean: Bool { entries.isEmpty }

    /// Adds a violation.
    mutating func add(_ violation: InvariantViolation) {
        let name = violation.invariant.name
        entries[name, default: Entry(violations: 0, first: violation)].violations += 1
        let isNew = told.insert(Told(invariant: name, device: violation.device)).inserted
        if isNew { news.append(violation) }
    }

    /// Adds what was found in another home.
    package mutating func add(_ other: InvariantRecord) {
        for entry in other.entries.values { add(entry.violations, of: entry.first) }
    }

    /// Adds what was found elsewhere of one invariant.
    package mutating func add(_ violations: Int, of first: InvariantViolation) {
        let name = first.invariant.name
        guard let own = entries[name] else {
            entries[name] = Entry(violations: violations, first: first)
            return
        }
        entries[name] = Entry(
            violations: own.violations + violations,
            first: first.at < own.first.at ? first : own.first)
    }

    /// Takes the violations that are the first of an invariant and a device.
    mutating func takeNews() -> [InvariantViolation] {
        defer { news = [] }
        return news
    }
}
