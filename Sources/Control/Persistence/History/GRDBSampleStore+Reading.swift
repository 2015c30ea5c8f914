public import DeviceDomain
internal import DeviceMessages
internal import GRDB
public import History

extension GRDBSampleStore {
    public func samples(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>
    ) async throws(HistoryError) -> [RecordedSample] {
        let period = period.lowerBound.milliseconds..<period.upperBound.milliseconds
        return try await perform(orReturn: []) { db in
            guard let number = try Self.knownNumber(of: device, in: home, db) else { return [] }
            var found = try LooseSamples.fetch(of: number, period, db)
            try HistorySources(number, period, finest: .samples, db).visit(db) { source in
                switch source {
                case .samples(let samples): found += samples
                case .means(let means, let length, let isWanted):
                    found += means.samples(length: length, where: isWanted)
                }
            }
            return found.inOrder
        }
    }

    public func means(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>, length: Int
    ) async throws(HistoryError) -> [RecordedSample] {
        let period = period.whole(length)
        let finest =
            [HistoryTier.hours, .fiveMinutes].first { length % $0.resolution == 0 } ?? .samples
        return try await perform(orReturn: []) { db in
            guard let number = try Self.knownNumber(of: device, in: home, db) else { return [] }
            var sum = MeanBlock()
            sum.add(try LooseSamples.fetch(of: number, period, db), length: length)
            try HistorySources(number, period, finest: finest, db).visit(db) { source in
                switch source {
                case .samples(let samples): sum.add(samples, length: length)
                case .means(let means, let ownLength, let isWanted):
                    sum.add(means, length: ownLength, ownLength: length, where: isWanted)
                }
            }
            return sum.samples(length: length) { _ in true }
        }
    }

    public func facts(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>
    ) async throws(HistoryError) -> [RecordedFact] {
        try await perform(orReturn: []) { db in
            guard let number = try Self.knownNumber(of: device, in: home, db) else { return [] }
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT at, kind, name, id, detail FROM fact
                    WHERE device = ? AND at >= ? AND at < ? ORDER BY at, kind, name, id
                    """,
                arguments: [
                    number, period.lowerBound.milliseconds, period.upperBound.milliseconds,
                ])
            var facts: [RecordedFact] = []
            while let row = try rows.next() {
                // A kind of a later version is left out.
                guard let kind = RecordedFact.Kind(rawValue: row["kind"]) else { continue }
                let detail: String = row["detail"]
                facts.append(
                    RecordedFact(
                        at: Timestamp(milliseconds: row["at"]), kind: kind, name: row["name"],
                        id: row["id"],
                        detail: (try? JSONReader.read(Array(detail.utf8)))?.object ?? [:]))
            }
            return facts
        }
    }

    public func span(
        of device: DeviceID, in home: HomeID
    ) async throws(HistoryError) -> ClosedRange<Timestamp>? {
        try await perform(orReturn: nil) { db in
            guard let number = try Self.knownNumber(of: device, in: home, db) else { return nil }
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT min(first) AS first, max(last) AS last FROM (
                        SELECT first, last FROM block WHERE device = :device AND tier BETWEEN 0 AND 2
                        UNION ALL
                        SELECT min(at), max(at) FROM sample WHERE device = :device)
                    """, arguments: ["device": number])
            guard let first: Int = row?["first"], let last: Int = row?["last"], first <= last
            else { return nil }
            return Timestamp(milliseconds: first)...Timestamp(milliseconds: last)
        }
    }
}

/// What is kept of a device in a time, each moment from the finest blocks that have all of it.
private struct HistorySources {
    enum Source {
        case samples([RecordedSample])
        /// Means, the length of their periods, and which of them count.
        case means(MeanBlock, length: Int, isWanted: (Int) -> Bool)
    }

    private let device: Int
    private let period: Range<Int>
    private let finest: HistoryTier

    init(_ device: Int, _ period: Range<Int>, finest: HistoryTier, _ db: Database) throws {
        self.device = device
        self.period = period
        self.finest = finest
    }

    func visit(_ db: Database, _ body: (Source) -> Void) throws {
        /// The hours and days that finer blocks have.
        var hours: Set<Int> = []
        var days: Set<Int> = []
        if finest == .samples {
            for block in try blocks(.samples, db) where block.isWhole {
                guard let samples = block.samples else { continue }
                hours.insert(block.start)
                body(.samples(samples.filter { period.contains($0.at.milliseconds) }))
            }
        }
        if finest != .hours {
            for block in try blocks(.fiveMinutes, db) where block.isWhole {
                guard let means = block.means else { continue }
                days.insert(block.start)
                let hours = hours
                body(
                    .means(means, length: HistoryTier.fiveMinutes.resolution) { start in
                        period.contains(start)
                            && !hours.contains(HistoryBlock.start(of: start, .samples))
                    })
            }
        }
        for block in try blocks(.hours, db) {
            guard let means = block.means else { continue }
            let (hours, days) = (hours, days)
            body(
                .means(means, length: HistoryTier.hours.resolution) { start in
                    period.contains(start) && !hours.contains(start)
                        && !days.contains(HistoryBlock.start(of: start, .fiveMinutes))
                })
        }
    }

    /// The blocks of a tier that have a part of the time.
    private func blocks(_ tier: HistoryTier, _ db: Database) throws -> [HistoryBlock] {
        // The first one begins before the time.
        let start = HistoryBlock.start(of: period.lowerBound, tier)
        guard start < period.upperBound else { return [] }
        return try HistoryBlock.fetchAll(tier, of: device, start..<period.upperBound, db)
    }
}
