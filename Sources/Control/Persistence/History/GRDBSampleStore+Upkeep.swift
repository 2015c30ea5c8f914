internal import Basics
public import DeviceDomain
internal import GRDB
public import History
internal import KillPoints

extension GRDBSampleStore {
    /// How many blocks or facts go in one step.
    private static let step = 64
    /// The most facts of one kind of a device.
    private static let mostFacts = 10_000
    /// The most bytes that their details take: 8 MiB.
    private static let mostFactBytes = 8 << 20

    public func maintain(at now: Timestamp) async throws(HistoryError) -> Bool {
        try await write(orReturn: false) { [self] db in
            let hasWorked =
                try Self.packNext(db) || Self.removeOld(now.milliseconds, db)
                || removeSurplusFacts(db)
            KillPoint.historyPacked.pass(if: hasWorked)
            return hasWorked
        }
    }

    // MARK: Means

    /// Moves the loose samples of a device in one hour into its blocks.
    /// - Returns: whether there were any.
    private static func packNext(_ db: Database) throws -> Bool {
        guard
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT device, at FROM sample ORDER BY device, at LIMIT 1"))
        else { return false }
        let device: Int = row["device"]
        let hour = HistoryBlock.start(of: row["at"], .samples)
        let period = hour..<(hour &+ HistoryTier.samples.blockLength)
        try pack(LooseSamples.fetch(of: device, period, db), of: device, in: hour, db)
        try LooseSamples.delete(of: device, period, db)
        return true
    }

    /// Each sample goes into the means at the same time as into the block of samples, so that it counts once.
    private static func pack(
        _ new: [RecordedSample], of device: Int, in hour: Int, _ db: Database
    ) throws {
        guard let first = new.first?.at.milliseconds, let last = new.last?.at.milliseconds else {
            return
        }
        let stamps = first...last
        let samples = try Pack(.samples, of: device, hour, db)
        let minutes = try Pack(.fiveMinutes, of: device, hour, db)
        let hours = try Pack(.hours, of: device, hour, db)
        let hadMinutes = minutes.hasMeans(in: hour, lasting: HistoryTier.samples.blockLength)
        let hadHour = hours.hasMeans(in: hour, lasting: HistoryTier.samples.blockLength)
        let hadDay = hours.hasMeans(
            in: HistoryBlock.start(of: hour, .fiveMinutes),
            lasting: HistoryTier.fiveMinutes.blockLength)

        let all = ((samples.block?.samples ?? []) + new).inOrder
        try samples.store(
            SampleBlock.bytes(of: SampleBlock.newest(of: all)), stamps,
            isWhole: !hadMinutes && !hadHour, db)
        try minutes.store(adding: new, stamps, isWhole: !hadDay, db)
        try hours.store(adding: new, stamps, isWhole: true, db)
    }

    // MARK: Retention

    /// Removes a few of the blocks that are too old or too many, and of the facts that are too old.
    ///
    /// Neither clock is trusted alone: what is old is so by the wall clock and by the newest sample. The number of
    /// blocks bounds what devices can fill whose clocks jump.
    /// - Returns: whether there were any.
    private static func removeOld(_ now: Int, _ db: Database) throws -> Bool {
        let newest = try Int.fetchOne(db, sql: "SELECT max(last) FROM block WHERE tier = 0")
        let moment = min(now, newest ?? now)
        var removed = 0
        for tier in HistoryTier.allCases {
            try db.execute(
                sql: """
                    DELETE FROM block WHERE rowid IN (
                        SELECT rowid FROM (
                            SELECT rowid, start, row_number() OVER (
                                PARTITION BY device ORDER BY start DESC) AS place
                            FROM block WHERE tier = ?)
                        WHERE start <= ? OR place > ? LIMIT ?)
                    """,
                arguments: [
                    tier.rawValue, moment &- tier.age &- tier.blockLength, tier.mostBlocks, step,
                ])
            removed += db.changesCount
        }
        let kinds = RecordedFact.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        removed += try removeFacts(
            """
            SELECT fact.device, kind, at, name, fact.id FROM device CROSS JOIN fact
                ON fact.device = device.id AND kind IN (\(kinds)) AND at < ?
            LIMIT ?
            """, [moment &- HistoryTier.hours.age, step], db)
        return removed > 0
    }

    /// Removes a few facts of the first device that has too many, in a file of an earlier version: no batch leaves
    /// any, so that a process looks at each device once.
    /// - Returns: whether there were any.
    private func removeSurplusFacts(_ db: Database) throws -> Bool {
        let devices = try Int.fetchAll(
            db, sql: "SELECT id FROM device WHERE id >= ? ORDER BY id",
            arguments: [firstUnchecked.withLock { $0 }])
        for device in devices {
            firstUnchecked.withLock { $0 = device }
            for kind in RecordedFact.Kind.allCases {
                let removed = try Self.removeSurplus(of: device, kind, atMost: Self.step, db)
                if removed > 0 { return true }
            }
        }
        firstUnchecked.withLock { $0 = .max }
        return false
    }

    /// Removes the oldest facts of a kind that are more than a device may have, by their number or their bytes.
    /// - Returns: how many.
    @discardableResult
    static func removeSurplus(
        of device: Int, _ kind: RecordedFact.Kind, atMost count: Int, _ db: Database
    ) throws -> Int {
        try removeFacts(
            """
            SELECT device, kind, at, name, id FROM fact
            WHERE device = :device AND kind = :kind AND (at, name, id) <= (
                SELECT at, name, id FROM (
                    SELECT at, name, id, row_number() OVER newest AS place,
                        sum(length(CAST(detail AS BLOB))) OVER newest AS size
                    FROM fact WHERE device = :device AND kind = :kind
                    WINDOW newest AS (ORDER BY at DESC, name DESC, id DESC ROWS UNBOUNDED PRECEDING))
                WHERE place > :places OR size > :size LIMIT 1)
            ORDER BY at, name, id LIMIT :count
            """,
            [
                "device": device, "kind": kind.rawValue, "places": mostFacts,
                "size": mostFactBytes, "count": count,
            ], db)
    }

    /// Removes facts whose keys a query finds, each by its key: with `IN` SQLite reads all facts of the device.
    /// - Returns: how many.
    private static func removeFacts(
        _ sql: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> Int {
        let keys = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
        let removal = try db.cachedStatement(
            sql: """
                DELETE FROM fact WHERE device = ? AND kind = ? AND at = ? AND name = ? AND id = ?
                """)
        for key in keys {
            try removal.execute(arguments: StatementArguments(key.databaseValues))
        }
        return keys.count
    }
}

/// The block of a tier that samples of an hour go into; it may not be there yet.
private struct Pack {
    let tier: HistoryTier
    let device: Int
    let start: Int
    let block: HistoryBlock?
    let means: MeanBlock

    init(_ tier: HistoryTier, of device: Int, _ hour: Int, _ db: Database) throws {
        self.tier = tier
        self.device = device
        start = HistoryBlock.start(of: hour, tier)
        block = try HistoryBlock.fetch(tier, of: device, at: start, db)
        means = (tier == .samples ? nil : block?.means) ?? MeanBlock()
    }

    /// Whether there is a mean of a time, which begins and ends with a period.
    func hasMeans(in start: Int, lasting length: Int) -> Bool {
        let periods =
            start.period(of: tier.resolution)..<(start + length).period(of: tier.resolution)
        return periods.contains { means.periods[$0] != nil }
    }

    func store(
        adding new: [RecordedSample], _ stamps: ClosedRange<Int>, isWhole: Bool, _ db: Database
    ) throws {
        var means = means
        means.add(new, length: tier.resolution)
        try store(means.bytes, stamps, isWhole: isWhole, db)
    }

    /// - Parameter isWhole: whether a new block is.
    func store(
        _ body: [UInt8], _ stamps: ClosedRange<Int>, isWhole: Bool, _ db: Database
    ) throws {
        try HistoryBlock(
            tier: tier, device: device, start: start,
            first: min(block?.first ?? stamps.lowerBound, stamps.lowerBound),
            last: max(block?.last ?? stamps.upperBound, stamps.upperBound),
            isWhole: block?.isWhole ?? isWhole, body: body
        ).store(db)
    }
}
