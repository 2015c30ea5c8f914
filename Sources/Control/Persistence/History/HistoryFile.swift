internal import DeviceControl
internal import GRDB
internal import History

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The file of a history, beside that of its ledger.
struct HistoryFile: Sendable {
    /// The history leaves so many bytes of the disk to the ledger: 8 MiB.
    static let reserve = 8 << 20

    let path: String

    /// The history of a ledger.
    /// - Parameter ledger: the path of the ledger.
    init(ofLedger ledger: String) { path = LedgerFile(path: ledger).path + "-history" }

    /// Where a damaged file is moved to.
    var asidePath: String { path + ".damaged" }

    var exists: Bool { Self.exists(path) }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Which file is at the path now; `nil` if there is none.
    var identity: FileIdentity? { FileStatus(path)?.identity }

    /// Bytes of the database and its log.
    var size: Int {
        [path, path + "-wal"].reduce(0) { sum, name in
            var status = stat()
            return sum + (stat(name, &status) == 0 ? Int(status.st_size) : 0)
        }
    }

    /// Makes the file where it is missing, for the user alone.
    func prepare() throws(HistoryError) {
        guard !exists else { return }
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw HistoryError(
                errno == ENOSPC || errno == EDQUOT ? .full : .unwritable,
                "\(path) cannot be made or written", underlying: reason)
        }
        close(descriptor)
    }

    /// Closes the file and its log to other users, as those of a ledger are.
    func closeToOthers() throws(HistoryError) {
        // By their names: closing another descriptor of the database would end the locks that SQLite has on it.
        do throws(LedgerError) { try LedgerFile(path: path).closeToOthers() } catch {
            throw HistoryError(.unwritable, error.message, underlying: error.underlying)
        }
    }

    /// - Throws: ``HistoryError`` `full` where the ledger needs what is left.
    func requireRoom() throws(HistoryError) {
        var disk = statvfs()
        // The file may not be there yet.
        let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        guard statvfs(folder.isEmpty ? "." : String(folder), &disk) == 0 else { return }
        let blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail
        guard Int(blocks) * Int(disk.f_frsize) < Self.reserve else { return }
        throw HistoryError(
            .full, "less than \(Self.reserve >> 20) MiB are free beside \(path); make room")
    }

    /// Moves a damaged file out of the way, where it is still the one that was opened.
    func moveAside(_ opened: FileIdentity?) {
        guard let opened, identity == opened else { return }
        rename(path, asidePath)
        // A log belongs to its database.
        if rename(path + "-wal", asidePath + "-wal") != 0 { unlink(asidePath + "-wal") }
        unlink(path + "-shm")
    }

    /// Gives an error of SQLite a cause and a remedy.
    func explained(_ error: any Error) -> HistoryError {
        switch error {
        case let error as HistoryError: error
        case let error as DatabaseError: explained(error)
        default: HistoryError(.failed, "\(path) failed", underlying: "\(error)")
        }
    }

    private func explained(_ error: DatabaseError) -> HistoryError {
        let underlying = error.message
        return switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            HistoryError(.damaged, "\(path) is damaged", underlying: underlying)
        case .SQLITE_FULL:
            HistoryError(
                .full, "there is no room left for \(path); make room", underlying: underlying)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            HistoryError(.busy, "another process holds \(path)", underlying: underlying)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_IOERR:
            HistoryError(
                .unwritable,
                "\(path) cannot be read or written; check its permissions and the disk",
                underlying: underlying)
        default: HistoryError(.failed, "\(path) failed", underlying: underlying)
        }
    }
}
