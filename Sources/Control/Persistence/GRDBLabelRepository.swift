public import DeviceControl
public import DeviceDomain
internal import GRDB
internal import LedgerRows

/// The names and rooms of a user in SQLite.
///
/// They are few, so a change reads and writes those of a home as a whole, in one transaction: the rules are those of
/// ``HomeLabels``, and two processes cannot give one name twice.
public struct GRDBLabelRepository: LabelRepository {
    private let database: LedgerDatabase

    /// The labels in a database.
    public init(_ database: LedgerDatabase) { self.database = database }

    public func labels(in home: HomeID) async throws -> HomeLabels {
        try await database.read { db in try Self.labels(in: home, db) }
    }

    /// As ``labels(in:)``, but on the caller's thread, which it blocks.
    /// - Throws: ``LedgerError``.
    public func readLabels(in home: HomeID) throws(LedgerError) -> HomeLabels {
        try database.readNow { db in try Self.labels(in: home, db) }
    }

    /// Synced: a user types a name once.
    public func change(
        in home: HomeID,
        _ body: @escaping @Sendable (inout HomeLabels) throws(LabelRefusal) -> Void
    ) async throws -> LabelChange {
        try await database.write(.powerCut) { transaction in
            let former = try Self.labels(in: home, transaction.db)
            var current = former
            do throws(LabelRefusal) {
                try body(&current)
            } catch {
                return LabelChange(former: former, current: former, refusal: error)
            }
            if current != former { try Self.store(current, in: home, transaction.db) }
            return LabelChange(former: former, current: current, refusal: nil)
        }
    }

    private static func labels(in home: HomeID, _ db: Database) throws -> HomeLabels {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: selection), arguments: [home.text, home.text])
        return try LabelRow.labels(rows.map(SQLiteRow.init))
    }

    private static func store(
        _ labels: HomeLabels, in home: HomeID, _ db: Database
    ) throws {
        for table in ["label", "room"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE home = ?", arguments: [home.text])
        }
        for room in labels.rooms {
            try db.execute(
                sql: "INSERT INTO room (home, name) VALUES (?, ?)",
                arguments: [home.text, room.text])
        }
        for (device, label) in labels.devices {
            try db.execute(
                sql: "INSERT INTO label (home, device, name, room) VALUES (?, ?, ?, ?)",
                arguments: [home.text, device.text, label.name?.text, label.room?.text])
        }
    }

    private static let selection = """
        SELECT device, name, room FROM label WHERE home = ?
        UNION ALL SELECT NULL, NULL, name FROM room WHERE home = ?
        """
}
