public import DeviceDomain
internal import GRDB

extension GRDBDeviceRepository {
    /// Reads no descriptions: parsing those of five thousand devices takes a second on a busy machine.
    public func identifiers(
        in home: HomeID, on channel: ChannelID
    ) async throws -> Set<DeviceID> {
        let texts = try await database.read { db in
            try String.fetchSet(
                db, sql: "SELECT device FROM device WHERE home = ? AND channel = ?",
                arguments: [home.text, channel.text])
        }
        return try Set(texts.map { text in try DeviceID(text) })
    }
}
