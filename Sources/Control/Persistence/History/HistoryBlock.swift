internal import DeviceDomain
internal import GRDB
internal import History

/// A row of the table `block`.
struct HistoryBlock {
    let tier: HistoryTier
    let device: Int
    let start: Int
    /// The stamps of the first and the last sample in it.
    var first: Int
    var last: Int
    /// Whether all that is kept of its time is in it.
    var isWhole: Bool
    var body: [UInt8]

    /// The samples in it; `nil` where its bytes are damaged.
    var samples: [RecordedSample]? { try? SampleBlock.samples(in: body) }
    /// The means in it; `nil` where its bytes are damaged.
    var means: MeanBlock? { try? MeanBlock(body) }

    /// Where the block begins in which a moment lies, in milliseconds.
    static func start(of moment: Int, _ tier: HistoryTier) -> Int {
        moment.period(of: tier.blockLength) &* tier.blockLength
    }

    static func fetch(
        _ tier: HistoryTier, of device: Int, at start: Int, _ db: Database
    ) throws -> HistoryBlock? {
        try fetchAll(tier, of: device, start..<(start &+ 1), db).first
    }

    /// The blocks that begin in a period, in their order.
    static func fetchAll(
        _ tier: HistoryTier, of device: Int, _ starts: Range<Int>, _ db: Database
    ) throws -> [HistoryBlock] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT start, first, last, whole, body FROM block
                    WHERE tier = ? AND device = ? AND start >= ? AND start < ? ORDER BY start
                    """),
            arguments: [tier.rawValue, device, starts.lowerBound, starts.upperBound])
        var blocks: [HistoryBlock] = []
        while let row = try rows.next() {
            let body: Blob = row["body"]
            blocks.append(
                HistoryBlock(
                    tier: tier, device: device, start: row["start"], first: row["first"],
                    last: row["last"], isWhole: row["whole"], body: body.bytes))
        }
        return blocks
    }

    /// The stamp of the last sample of a block; `nil` where there is none.
    static func last(
        _ tier: HistoryTier, of device: Int, at start: Int, _ db: Database
    ) throws -> Int? {
        try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT last FROM block WHERE tier = ? AND device = ? AND start = ?"),
            arguments: [tier.rawValue, device, start])
    }

    func store(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO block (tier, device, start, first, last, whole, body)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            tier.rawValue, device, start, first, last, isWhole, Blob(body),
        ])
    }
}

/// Samples that are in no block yet.
enum LooseSamples {
    /// Those of a device in a period, in their order; damaged ones are left out.
    static func fetch(
        of device: Int, _ period: Range<Int>, _ db: Database
    ) throws -> [RecordedSample] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT body FROM sample WHERE device = ? AND at >= ? AND at < ?
                    ORDER BY at, boot, n
                    """), arguments: [device, period.lowerBound, period.upperBound])
        var samples: [RecordedSample] = []
        while let row = try rows.next() {
            let body: Blob = row["body"]
            samples += (try? SampleBlock.samples(in: body.bytes)) ?? []
        }
        return samples
    }

    static func delete(of device: Int, _ period: Range<Int>, _ db: Database) throws {
        try db.cachedStatement(
            sql: "DELETE FROM sample WHERE device = ? AND at >= ? AND at < ?"
        ).execute(arguments: [device, period.lowerBound, period.upperBound])
    }
}
