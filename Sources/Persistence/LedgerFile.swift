internal import DeviceControl
internal import GRDB

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Where the ledger lies: the database, its log, and the folder of leases beside it.
struct LedgerFile: Sendable {
    let path: String

    var leaseFolder: String { path + "-processes" }

    /// Bytes in the write-ahead log; 0 if there is none.
    var logSize: Int {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    /// Makes the folder and an empty file if they are missing, for the user alone.
    func prepare() throws(LedgerError) {
        guard access(path, F_OK) != 0 else { return }
        try makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("cannot be made", path: path) }
        close(descriptor)
    }

    private func makeFolder(_ folder: String) throws(LedgerError) {
        guard !folder.isEmpty, access(folder, F_OK) != 0 else { return }
        try makeFolder(String(folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.startIndex)))
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system("cannot be made", path: folder)
        }
    }

    /// Waits until no other process sets up the same file.
    func lockForSetup() throws(LedgerError) -> FileLock {
        _ = mkdir(leaseFolder, 0o700)
        let path = leaseFolder + "/setup.lock"
        guard let lock = FileLock(path: path, waits: true) else {
            throw .system("cannot be locked", path: path)
        }
        return lock
    }

    /// Gives the errors of SQLite a cause and a remedy.
    func explainingErrors<Value>(_ body: () throws -> Value) throws(LedgerError) -> Value {
        do {
            return try body()
        } catch let error as LedgerError {
            throw error
        } catch let error as DatabaseError {
            throw LedgerError(error, path: path)
        } catch {
            throw LedgerError(.failed, "the ledger \(path) failed", underlying: "\(error)")
        }
    }
}

extension LedgerError {
    /// What the operating system says about a path.
    static func system(_ what: String, path: String) -> LedgerError {
        let reason = String(cString: strerror(errno))
        return LedgerError(
            .unwritable,
            "the ledger \(path) \(what); check its permissions or choose another file",
            underlying: reason)
    }

    init(_ error: DatabaseError, path: String) {
        let underlying = error.message
        switch error.resultCode {
        case .SQLITE_NOTADB:
            self.init(
                .foreign,
                "\(path) is no ledger, or its header is damaged; nothing was changed; move it "
                    + "away or choose another file", underlying: underlying)
        case .SQLITE_CORRUPT:
            self.init(
                .corrupt,
                "the ledger \(path) is damaged; move it away to begin a new one, and keep it "
                    + "for repair", underlying: underlying)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .busy,
                "another process held the ledger \(path) for more than "
                    + "\(Int(LedgerDatabase.longestWait)) s; try again", underlying: underlying)
        case .SQLITE_FULL:
            self.init(
                .full, "there is no room left for the ledger \(path); make room and try again",
                underlying: underlying)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(
                .unwritable,
                "the ledger \(path) cannot be written; check the permissions of the file and its "
                    + "folder or choose another file", underlying: underlying)
        case .SQLITE_IOERR:
            self.init(
                .unwritable,
                "the disk failed under the ledger \(path); check the disk and its free space",
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
