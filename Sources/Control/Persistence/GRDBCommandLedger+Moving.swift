internal import Connectivity
public import DeviceControl
public import DeviceDomain
internal import DeviceMessages
internal import GRDB
internal import LedgerRows

extension GRDBCommandLedger: MovingCommands {
    public func elsewhere(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [CommandRecord] {
        let places = places()
        return try await database.read { db in
            try elsewhere(places, of: controller, in: home, db)
        }
    }

    public func moveHere(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [CommandRecord] {
        let (time, places) = (now(), places())
        return try await database.write(.powerCut) { transaction in
            try elsewhere(places, of: controller, in: home, transaction.db).map { record in
                try move(record, to: places, at: time, in: transaction)
            }
        }
    }

    private func elsewhere(
        _ places: CommandPlaces, of controller: ControllerID, in home: HomeID, _ db: Database
    ) throws -> [CommandRecord] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(CommandRow.selectedColumns) FROM command
                WHERE controller = ? AND home = ? AND place IS NOT NULL
                    AND (isOpen OR (state = 'unknown' AND closedAt IS NULL))
                ORDER BY number DESC
                """,
            arguments: [controller.text, home.text])
        return try CommandRow.readable(rows, limit: .max).map(\.record)
            .filter { !places.include($0.place) }
    }

    private func move(
        _ record: CommandRecord, to places: CommandPlaces, at time: Timestamp,
        in transaction: LedgerTransaction
    ) throws -> CommandRecord {
        var moved = record
        moved.place = places.here[record.prepared.channel]
        try transaction.db.cachedStatement(sql: "UPDATE command SET place = ? WHERE id = ?")
            .execute(arguments: [moved.place?.description, Blob(record.id.bytes)])
        try transaction.log([LedgerEvent(moving: record, to: moved.place, at: time)])
        return moved
    }
}
