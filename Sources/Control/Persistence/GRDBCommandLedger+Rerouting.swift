internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB
internal import LedgerRows

extension GRDBCommandLedger {
    /// Lets a command that never left go over another channel.
    func reroute(
        _ prepared: PreparedCommand, at places: CommandPlaces, _ events: [LedgerEvent],
        in transaction: LedgerTransaction
    ) throws {
        let id = Blob(prepared.id.bytes)
        try transaction.db.cachedStatement(sql: Self.rerouting).execute(
            arguments: [
                prepared.channel.text, Blob(prepared.payload),
                places.here[prepared.channel]?.description, id,
            ])
        let entered: Blob? = try Blob.fetchOne(
            transaction.db, sql: Self.entryOf, arguments: [id, LedgerEvent.Kind.created.rawValue])
        try transaction.log(events.map { $0.showing(prepared.payload, as: entered?.object) })
    }

    private static let rerouting =
        "UPDATE command SET channel = ?, payload = ?, place = ? WHERE id = ?"
    private static let entryOf =
        "SELECT detail FROM event WHERE command = ? AND kind = ? LIMIT 1"
}
