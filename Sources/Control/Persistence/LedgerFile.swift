internal import DeviceControl
internal import GRDB
internal import LedgerRows

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The files of a ledger: the database, its log, and the folder of leases beside it.
struct LedgerFile: Sendable {
    /// Without symbolic links, because the other files lie beside the real one.
    let path: String

    init(path: String) {
        guard let real = realpath(path, nil) else {
            self.path = path
            return
        }
        defer { free(real) }
        self.path = String(cString: real)
    }

    var leaseFolder: String { path + "-processes" }

    /// Bytes in the write-ahead log; 0 if there is none.
    var logSize: Int {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    /// Makes the folder and an empty file if they are missing, for the user alone.
    /// - Returns: what this process may do with the file.
    func prepare() throws(LedgerError) -> LedgerAccess {
        guard let status = FileStatus(path) else {
            try make()
            return .readWrite
        }
        guard status.isRegularFile else {
            let kind = status.isFolder ? "a folder" : "not a regular file"
            throw LedgerError(
                .unwritable, "the ledger \(path) is \(kind); choose a file instead")
        }
        return access(path, W_OK) == 0 || access(path, R_OK) != 0 ? .readWrite : .readOnly
    }

    private func make() throws(LedgerError) {
        try makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("cannot be made", path: path) }
        close(descriptor)
    }

    /// Closes files that other users can open: the ledger shows when the household did what. A file that was
    /// copied or restored with another mode gets the mode that new files have.
    func closeToOthers() throws(LedgerError) {
        for name in [path, path + "-wal", path + "-shm"] { try closeToOthers(name) }
    }

    private func closeToOthers(_ name: String) throws(LedgerError) {
        guard let status = FileStatus(name), status.isOpenToOthers else { return }
        guard chmod(name, 0o600) == 0 || errno == ENOENT else {
            throw LedgerError(
                .unwritable,
                "other users can open \(name), and its mode cannot be changed; have "
                    + "its owner run chmod 600, or choose another file",
                underlying: String(cString: strerror(errno)))
        }
    }

    private func makeFolder(_ folder: String) throws(LedgerError) {
        guard !folder.isEmpty, access(folder, F_OK) != 0 else { return }
        try makeFolder(String(folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.startIndex)))
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system("cannot be made", path: folder)
        }
    }

    /// Whether there is anything at the path.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Which file is at the path now; `nil` if there is none.
    var identity: FileIdentity? { FileStatus(path)?.identity }

    /// What SQLite is to open where nothing can be written.
    ///
    /// A database in WAL mode needs its log and the index of the log, and makes them where they are
    /// missing. Where that is impossible and there is no log, the file alone is everything, and
    /// nobody changes it: SQLite calls that immutable.
    var pathForReading: String {
        guard logSize == 0, access(path, W_OK) != 0 else { return path }
        return immutableURL
    }

    /// What SQLite is to open where nothing may change: it makes the log and its index where they are
    /// missing. A log that is there is read, because it holds the latest commits.
    var pathForInspection: String { logSize == 0 ? immutableURL : path }

    private var immutableURL: String {
        let escaped = path.map { character in
            switch character {
            case "%": "%25"
            case "?": "%3f"
            case "#": "%23"
            default: String(character)
            }
        }
        return "file:\(escaped.joined())?immutable=1"
    }

    /// Whether the file system of the ledger is read-only.
    var isOnReadOnlyFileSystem: Bool { access(path, W_OK) != 0 && errno == EROFS }

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
        } catch let error as DamagedColumn {
            let cause = DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "column \(error.name) holds no valid value")
            throw LedgerError(cause, path: path)
        } catch {
            throw LedgerError(.failed, "the ledger \(path) failed", underlying: "\(error)")
        }
    }
}
