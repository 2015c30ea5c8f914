public import DeviceControl
public import DeviceDomain
internal import GRDB

extension GRDBCommandLedger {
    public func adoptOrphans(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [CommandRecord]
    {
        let others = try await otherOwners(of: controller, in: home)
        var adopted: [CommandRecord] = []
        for other in others {
            guard let taken = database.lease.take(from: other.lease) else { continue }
            defer { taken.bury() }
            adopted += try await adopt(from: other, controller, home)
        }
        return adopted.sorted { $0.sequence < $1.sequence }
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
                        WHERE \(Self.isOpen) AND controller = ? AND home = ? AND lease <> ?
                        """),
                arguments: [controller.text, home.text, database.lease.name])
            return rows.map { Owner(number: $0["id"], lease: $0["lease"]) }
        }
    }

    private func adopt(from other: Owner, _ controller: ControllerID, _ home: HomeID)
        async throws(LedgerError) -> [CommandRecord]
    {
        try await database.write { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    UPDATE command SET owner = ?
                    WHERE owner = ? AND \(Self.isOpen) AND controller = ? AND home = ?
                    RETURNING *
                    """,
                arguments: [
                    try processNumber(in: db), other.number, controller.text, home.text,
                ])
            return try rows.map { try CommandRow($0).record }
        }
    }

    /// The condition of the partial index `openCommand`, word for word.
    private static let isOpen = "state IN ('queued', 'sending', 'sent', 'accepted', 'running')"

    private struct Owner: Sendable {
        let number: Int64
        let lease: String
    }
}
