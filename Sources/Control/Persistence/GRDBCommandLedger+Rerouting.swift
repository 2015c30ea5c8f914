internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB

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
        // As the entry of the command: of one with a secret its value could be guessed from the digest.
        let entered: Blob? = try Blob.fetchOne(
            transaction.db, sql: Self.entryOf, arguments: [id, LedgerEvent.Kind.created.rawValue])
        let showsDigest = entered?.object?["payload"] != nil
        try transaction.log(
            events.map { event in
                guard event.kind == .rerouted, showsDigest else { return event }
                var event = event
                event.detail["payload"] = .string(
                    SHA256.digest(of: prepared.payload).hexadecimal)
                return event
            })
    }

    private static let rerouting =
        "UPDATE command SET channel = ?, payload = ?, place = ? WHERE id = ?"
    private static let entryOf =
        "SELECT detail FROM event WHERE command = ? AND kind = ? LIMIT 1"
}
