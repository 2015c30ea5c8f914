public import DeviceControl
internal import GRDB

extension LedgerDatabase {
    /// The version of the SQLite library that is loaded.
    public static func libraryVersion() throws(LedgerError) -> String {
        try inMemory().readNow { db in try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""
        }
    }
}
