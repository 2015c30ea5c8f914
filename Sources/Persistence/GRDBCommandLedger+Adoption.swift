public import DeviceControl
public import DeviceDomain
internal import DeviceMessages
internal import GRDB

extension GRDBCommandLedger {
    public func adoptOrphans(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [CommandRecord]
    {
        let others = try await otherOwners(of: controller, in: home)
        var adopted: [CommandRow] = []
        for other in others {
            guard let taken = database.lease.take(from: other.lease) else { continue }
            defer { taken.discard() }
            adopted += try await adopt(from: other, controller, home)
        }
        return adopted.sorted { $0.number < $1.number }.map(\.record)
    }

    private func otherOwners(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [Owner]
    {
        try await database.read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT DISTINCT process.id, process.lease
                        FROM command JOIN process ON process.id = command.owner
                        WHERE isOpen AND controller = ? AND home = ? AND lease <> ?
                        """),
                arguments: [controller.text, home.text, database.lease.name])
            return rows.map { Owner(number: $0["id"], lease: $0["lease"]) }
        }
    }

    /// Leaves alone what only a newer version understands: a process of that version adopts it.
    private func adopt(from other: Owner, _ controller: ControllerID, _ home: HomeID)
        async throws(LedgerError) -> [CommandRow]
    {
        let time = now()
        return try await database.write { db in
            let open = try Row.fetchCursor(
                db,
                sql: """
                    SELECT \(CommandRow.columns) FROM command
                    WHERE owner = ? AND isOpen AND controller = ? AND home = ? ORDER BY number
                    """,
                arguments: [other.number, controller.text, home.text])
            let rows = try CommandRow.readable(open, limit: .max)
            guard !rows.isEmpty else { return [] }
            let owner = try processNumber(in: db)
            for row in rows { try adopt(row, by: owner, at: time, in: db) }
            return rows
        }
    }

    private func adopt(_ row: CommandRow, by owner: Int64, at time: Timestamp, in db: Database)
        throws
    {
        try db.cachedStatement(sql: "UPDATE command SET owner = ? WHERE number = ?").execute(
            arguments: [owner, row.number])
        let event = LedgerEvent(
            .adopted, of: row.record.id, at: time,
            cause: "the process that followed the command has ended; another one follows it now")
        try EventRow.insert([event], into: db)
    }

    private struct Owner: Sendable {
        let number: Int64
        let lease: String
    }
}
