public import DeviceControl
public import DeviceDomain
public import DeviceMessages
internal import GRDB
internal import LedgerRows

extension GRDBCommandLedger {
    public func adoptOrphans(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [CommandID]
    {
        let places = places()
        let others = try await otherOwners(of: controller, in: home)
            .filter { places.include($0.place) }
        var adopted: [Adopted] = []
        for (lease, owners) in Dictionary(grouping: others, by: \.lease) {
            guard let taken = database.lease.take(from: lease) else { continue }
            defer { taken.discard() }
            for owner in owners { adopted += try await adopt(from: owner, controller, home) }
        }
        return adopted.sorted { $0.number < $1.number }.map(\.id)
    }

    private func otherOwners(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [Owner]
    {
        try await database.read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT DISTINCT process.id, process.lease, command.place
                        FROM command JOIN process ON process.id = command.owner
                        WHERE isOpen AND controller = ? AND home = ? AND lease <> ?
                        """),
                arguments: [controller.text, home.text, database.lease.name])
            return rows.map {
                let place: String? = $0["place"]
                return Owner(
                    number: $0["id"], lease: $0["lease"],
                    place: place.map(CommandPlaces.Place.init(_:)))
            }
        }
    }

    /// Leaves alone what only a newer version understands: a process of that version adopts it.
    ///
    /// Some rows are read at a time, in their order, and not all together: sorted, they would be written to
    /// a file in between, and each is changed while its page is at hand. Nor one by one, as GRDB makes a table of
    /// the columns for each query.
    private func adopt(from other: Owner, _ controller: ControllerID, _ home: HomeID)
        async throws(LedgerError) -> [Adopted]
    {
        let time = now()
        return try await database.write { transaction in
            let numbers = try Int64.fetchAll(
                transaction.db,
                sql: """
                    SELECT number FROM command
                    WHERE owner = ? AND isOpen AND controller = ? AND home = ? AND place IS ?
                    ORDER BY number
                    """,
                arguments: [
                    other.number, controller.text, home.text, other.place?.description,
                ])
            guard !numbers.isEmpty else { return [] }
            let owner = try processNumber(in: transaction.db)
            return try stride(from: 0, to: numbers.count, by: Self.rowsAtOnce).flatMap { first in
                try commands(numbers.dropFirst(first).prefix(Self.rowsAtOnce), in: transaction.db)
                    .map { try adopt($0, by: owner, at: time, in: transaction) }
            }
        }
    }

    private func commands(_ numbers: ArraySlice<Int64>, in db: Database) throws -> [CommandRow] {
        let list = numbers.map(String.init).joined(separator: ",")
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: Self.numbered), arguments: ["[\(list)]"])
        return try CommandRow.readable(rows, limit: .max)
    }

    private func adopt(
        _ row: CommandRow, by owner: Int64, at time: Timestamp, in transaction: LedgerTransaction
    ) throws -> Adopted {
        let progress = row.record.progress.adopted
        try transaction.db.cachedStatement(sql: Self.adoption).execute(
            arguments: [owner, progress.step, progress.mayHaveLeft, row.number])
        let event = LedgerEvent(
            .adopted, of: row.record.id, at: time,
            cause: "the process that followed the command has ended; another one follows it now")
        try transaction.log([event])
        return Adopted(number: row.number, id: row.record.id)
    }

    private static let rowsAtOnce = 256
    private static let numbered = """
        SELECT \(CommandRow.selectedColumns) FROM command
        WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number
        """
    private static let adoption =
        "UPDATE command SET owner = ?, step = ?, mayHaveLeft = ? WHERE number = ?"

    /// A command that was taken over. Its record is read later, because there may be a hundred thousand of them.
    private struct Adopted: Sendable {
        let number: Int
        let id: CommandID
    }

    private struct Owner: Sendable {
        let number: Int64
        let lease: String
        let place: CommandPlaces.Place?
    }
}
