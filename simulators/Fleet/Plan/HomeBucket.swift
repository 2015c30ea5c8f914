package import DeviceDomain

/// The homes whose devices share one file of the journal.
///
/// It follows from the name of the home alone, and a home and all others of its bucket are simulated by one process.
/// So a file has one writer, and a fleet that is restarted with another number of processes finds its devices:
/// `home-k` is in bucket (k − 1) mod 64, a name without a number in one that its checksum chooses.
package struct HomeBucket: Hashable, Comparable, Sendable {
    /// How many there are, and so how many processes can share a fleet.
    package static let count = 64

    /// From 1 to ``count``.
    let number: Int

    package init(of home: HomeID) { number = home.place(among: Self.count) + 1 }

    /// The name of its file in the directory of a journal.
    var fileName: String { "devices-\(number < 10 ? "0" : "")\(number).journal" }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension FleetHomes {
    /// The buckets of these homes, in the order of their numbers.
    var buckets: [HomeBucket] { Set(ids.map(HomeBucket.init(of:))).sorted() }

    /// How many files their journal has.
    package var journalFileCount: Int { buckets.count }

    /// These homes dealt out to so many processes, whole buckets in turn; to fewer processes where there are fewer
    /// buckets, so that none is without a home.
    package func shared(among processes: Int) -> [FleetHomes] {
        let buckets = buckets
        let count = max(1, min(processes, buckets.count))
        var parts = [[HomeID]](repeating: [], count: count)
        for id in ids {
            let place = buckets.firstIndex(of: HomeBucket(of: id)) ?? 0
            parts[place % count].append(id)
        }
        return parts.map(FleetHomes.init(ids:))
    }
}

extension HomeID {
    /// To which of so many groups of homes it belongs, from 0: (k − 1) mod `count` for `home-k`; a name without a
    /// number belongs to one that its checksum chooses. It depends on no other home.
    func place(among count: Int) -> Int {
        let digits = text.utf8.reversed().prefix { (48...57).contains($0) }.reversed()
        guard !digits.isEmpty else { return Int(Checksum.of(text.utf8)) % count }
        let remainder = digits.reduce(0) { ($0 * 10 + Int($1) - 48) % count }
        return (remainder + count - 1) % count
    }
}
