internal import DeviceDomain
internal import DeviceMessages
internal import Foundation
internal import GRDB

/// Bytes as SQLite holds them.
struct Blob: DatabaseValueConvertible, Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A JSON object in its canonical form.
    init(_ members: JSONObject) { bytes = JSONWriter.write(.object(members)) }

    var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Blob? {
        Data.fromDatabaseValue(value).map { Blob(Array($0)) }
    }
}
