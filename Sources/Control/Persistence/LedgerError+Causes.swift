internal import DeviceControl
internal import GRDB

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension LedgerError {
    /// What the operating system says about a path.
    static func system(_ what: String, path: String) -> LedgerError {
        let number = errno
        let reason = String(cString: strerror(number))
        let name = "the ledger \(path) \(what)"
        switch number {
        case EROFS:
            return LedgerError(
                .unwritable, "\(name): its file system is read-only; choose another file",
                underlying: reason)
        case ENOSPC, EDQUOT:
            return LedgerError(
                .full, "\(name): there is no room left; make room and try again",
                underlying: reason)
        default:
            return LedgerError(
                .unwritable, "\(name); check its permissions or choose another file",
                underlying: reason)
        }
    }

    init(_ error: DatabaseError, path: String) {
        let underlying = error.message
        switch error.resultCode {
        case .SQLITE_NOTADB:
            self.init(
                .foreign,
                "\(path) is not a ledger, or its header is damaged; nothing was changed; choose "
                    + "another file, or move it away together with \(path)-wal where there is one",
                underlying: underlying)
        case .SQLITE_CORRUPT:
            self.init(
                .corrupt,
                "the ledger \(path) is damaged; to begin a new one, move it away together with "
                    + "\(path)-wal, which holds what is newest, and keep both for repair",
                underlying: underlying)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .busy,
                "another process held the ledger \(path) for more than "
                    + "\(Int(LedgerDatabase.longestWait)) s; try again", underlying: underlying)
        case .SQLITE_FULL:
            self.init(
                .full, "there is no room left for the ledger \(path); make room and try again",
                underlying: underlying)
        case .SQLITE_READONLY where LedgerFile(path: path).isOnReadOnlyFileSystem:
            self.init(
                .unwritable,
                "the ledger \(path) is on a read-only file system: it can be read, but nothing "
                    + "can be recorded; choose another file", underlying: underlying)
        case .SQLITE_CANTOPEN where LedgerFile(path: path).isOnReadOnlyFileSystem:
            self.init(
                .unwritable,
                "the ledger \(path) is on a read-only file system without the index of its log, "
                    + "and cannot be read there; copy the file and the one that ends with -wal to "
                    + "where they can be written, and choose the copy", underlying: underlying)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(
                .unwritable,
                "the ledger \(path) cannot be written; check the permissions of the file and its "
                    + "folder or choose another file", underlying: underlying)
        case .SQLITE_IOERR:
            self.init(
                .unwritable,
                "reading or writing the ledger \(path) failed; check the disk and its free space",
                underlying: underlying)
        case .SQLITE_CONSTRAINT:
            self.init(
                .conflict, "the ledger \(path) refused an entry that contradicts another one",
                underlying: underlying)
        default:
            self.init(.failed, "the ledger \(path) failed", underlying: underlying)
        }
    }
}
