public import DeviceControl
public import DeviceDomain
internal import LedgerRows

/// The names and rooms of a user in PostgreSQL.
///
/// They are few, so a change reads and writes those of a home as a whole, in one transaction: the rules are those of
/// ``HomeLabels``, and two processes cannot give one name twice.
public struct PostgresLabelRepository: LabelRepository {
    private let database: PostgresDatabase

    /// The labels in a database.
    public init(_ database: PostgresDatabase) { self.database = database }

    public func labels(in home: HomeID) async throws -> HomeLabels {
        try await database.read { connection in
            try LabelRow.labels(connection.run(Self.selection(of: home)).rows)
        }
    }

    /// As ``labels(in:)``, but on the caller's thread, which it blocks.
    /// - Throws: ``LedgerError``.
    public func readLabels(in home: HomeID) throws(LedgerError) -> HomeLabels {
        try database.now { connection in
            try LabelRow.labels(connection.run(Self.selection(of: home)).rows)
        }
    }

    public func change(
        in home: HomeID,
        _ body: @escaping @Sendable (inout HomeLabels) throws(LabelRefusal) -> Void
    ) async throws -> LabelChange {
        try await database.write { transaction in
            transaction.add(
                PostgresStatement(
                    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
                    [.text("labels/\(home.text)")]))
            let former = try LabelRow.labels(transaction.query(Self.selection(of: home)).rows)
            var current = former
            do throws(LabelRefusal) {
                try body(&current)
            } catch {
                return LabelChange(former: former, current: former, refusal: error)
            }
            if current != former { Self.store(current, in: home, transaction) }
            return LabelChange(former: former, current: current, refusal: nil)
        }
    }

    private static func selection(of home: HomeID) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT device, name, room FROM label WHERE home = $1
            UNION ALL SELECT NULL, NULL, name FROM room WHERE home = $1
            """, [.text(home.text)])
    }

    private static func store(
        _ labels: HomeLabels, in home: HomeID, _ transaction: PostgresTransaction
    ) {
        for table in ["label", "room"] {
            transaction.add(
                PostgresStatement("DELETE FROM \(table) WHERE home = $1", [.text(home.text)]))
        }
        for room in labels.rooms {
            transaction.add(
                PostgresStatement(
                    "INSERT INTO room (home, name) VALUES ($1, $2)",
                    [.text(home.text), .text(room.text)]))
        }
        for (device, label) in labels.devices {
            transaction.add(
                PostgresStatement(
                    "INSERT INTO label (home, device, name, room) VALUES ($1, $2, $3, $4)",
                    columns: [
                        .text(home.text), .text(device.text), .text(ifAny: label.name?.text),
                        .text(ifAny: label.room?.text),
                    ]))
        }
    }
}
