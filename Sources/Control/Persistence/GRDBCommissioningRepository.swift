public import DeviceDomain
internal import GRDB
public import Provisioning

/// The attempts to bring Matter devices onto servers, in SQLite beside the ledger.
public struct GRDBCommissioningRepository: CommissioningRepository {
    private let database: LedgerDatabase

    /// The attempts in a database.
    public init(_ database: LedgerDatabase) { self.database = database }

    public func latest(
        of label: String, on channel: ChannelID, in home: HomeID
    ) async throws(ProvisioningError) -> CommissioningRecord? {
        try await database.attempt(
            """
            SELECT * FROM commissioning WHERE home = ? AND channel = ? AND label = ?
            ORDER BY step = 'rolled-back', number DESC LIMIT 1
            """, [home.text, channel.text, label], as: CommissioningRow.record)
    }

    public func add(_ record: CommissioningRecord) async throws(ProvisioningError) {
        let added = try await database.changeAttempt(
            """
            INSERT INTO commissioning
            (attempt, home, channel, label, startedAt, step, askedAt, formerNodes, node, revision)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                record.attempt.rawValue, record.home.text, record.channel.text, record.label,
                record.startedAt.milliseconds, record.step.rawValue,
                record.askedAt?.milliseconds, CommissioningRow.text(record.formerNodes),
                record.node.map(String.init), record.revision,
            ])
        guard added else { throw .otherProcess }
    }

    public func update(_ record: CommissioningRecord) async throws(ProvisioningError) {
        let changed = try await database.changeAttempt(
            """
            UPDATE commissioning SET step = ?, askedAt = ?, formerNodes = ?, node = ?, revision = ?
            WHERE attempt = ? AND revision = ?
            """,
            [
                record.step.rawValue, record.askedAt?.milliseconds,
                CommissioningRow.text(record.formerNodes), record.node.map(String.init),
                record.revision, record.attempt.rawValue, record.revision - 1,
            ])
        guard changed else { throw .otherProcess }
    }
}

/// An attempt as columns.
private enum CommissioningRow {
    /// - Throws: `DatabaseError` if a column holds what was never written.
    static func record(_ row: Row) throws -> CommissioningRecord {
        CommissioningRecord(
            attempt: try StoredValue.required(
                ProvisioningAttemptID(rawValue: row["attempt"]), "attempt"),
            home: try StoredValue.required(HomeID(rawValue: row["home"]), "home"),
            channel: try StoredValue.required(ChannelID(rawValue: row["channel"]), "channel"),
            label: row["label"], startedAt: Timestamp(milliseconds: row["startedAt"]),
            step: try StoredValue.required(
                CommissioningRecord.Step(rawValue: row["step"]), "step"),
            askedAt: (row["askedAt"] as Int?).map { Timestamp(milliseconds: $0) },
            formerNodes: try numbers(row["formerNodes"]),
            node: try (row["node"] as String?).map {
                try StoredValue.required(UInt64($0), "node")
            },
            revision: row["revision"])
    }

    static func text(_ nodes: Set<UInt64>) -> String {
        nodes.sorted().map(String.init).joined(separator: " ")
    }

    private static func numbers(_ text: String) throws -> Set<UInt64> {
        Set(
            try text.split(separator: " ").map {
                try StoredValue.required(UInt64($0), "formerNodes")
            })
    }
}

extension ProvisioningError {
    fileprivate static let otherProcess = ProvisioningError(
        .otherProcess, "another process brings this device onto the Matter server", .runAgain)
}
