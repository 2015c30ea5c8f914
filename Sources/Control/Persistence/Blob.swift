internal import DeviceDomain
internal import DeviceMessages
internal import FoundationEssentials
internal import GRDB

/// Bytes as SQLite holds them.
struct Blob: DatabaseValueConvertible, Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A JSON object in its canonical form.
    init(_ members: JSONObject) { bytes = JSONWriter.write(.object(members)) }

    /// The JSON object that the bytes are, else `nil`.
    var object: JSONObject? {
        let value = try? JSONReader.read(bytes, limits: Self.limits)
        return value?.object
    }

    var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Blob? {
        Data.fromDatabaseValue(value).map { Blob(Array($0)) }
    }

    /// What was written has passed the limits of the wire already, and the detail of an event
    /// wraps it.
    private static let limits = JSONLimits(bytes: .max, depth: JSONLimits.deepest)
}
