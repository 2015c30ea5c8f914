internal import DeviceDomain
internal import FoundationEssentials
internal import GRDB
internal import LedgerRows

/// Bytes as SQLite holds them.
struct Blob: DatabaseValueConvertible, Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A JSON object in its canonical form.
    init(_ members: JSONObject) { bytes = members.stored }

    /// The JSON object that the bytes are, else `nil`.
    var object: JSONObject? { JSONObject(stored: bytes) }

    var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Blob? {
        Data.fromDatabaseValue(value).map { Blob(Array($0)) }
    }
}
