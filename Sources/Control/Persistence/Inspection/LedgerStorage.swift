#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What the file system says about a ledger, its folder and its disk.
public struct LedgerStorage: Hashable, Sendable {
    /// What is at the path of the ledger.
    public enum Presence: Hashable, Sendable {
        /// Nothing; the first command makes it.
        case nothing
        /// A file.
        case file
        /// A folder or device, which cannot be a ledger.
        case other
    }

    /// A file or folder with its permissions.
    public struct Entry: Hashable, Sendable {
        /// Where it is.
        public let path: String
        /// Its permissions, as `chmod` takes them.
        public let mode: String
    }

    /// What is at the path of the ledger.
    public let presence: Presence
    /// The folder of the ledger, or the next one above it that exists.
    public let folder: String
    /// The id of the user who owns the file, if it is another one than that of this process.
    public let otherOwner: UInt32?
    /// Files of the ledger that other users can open.
    public let openFiles: [Entry]
    /// The folder, where other users can replace the files in it.
    public let openFolder: Entry?
    /// Whether this process can write the file, or make it where there is none.
    public let isWritable: Bool
    /// Whether the file system is mounted read-only.
    public let isFileSystemReadOnly: Bool
    /// Bytes that this user can still write to the disk; `nil` if the system does not tell.
    public let freeBytes: Int?

    init(of path: String) {
        let status = FileStatus(path)
        presence = status.map { $0.isRegularFile ? .file : .other } ?? .nothing
        otherOwner = status.flatMap { $0.owner == geteuid() ? nil : $0.owner }
        folder = Self.existingFolder(above: path)
        openFiles = [path, path + "-wal", path + "-shm"].compactMap { name in
            guard let status = FileStatus(name), status.isOpenToOthers else { return nil }
            return Entry(path: name, mode: status.mode)
        }
        let folderStatus = FileStatus(folder)
        openFolder = folderStatus.flatMap { [folder] status in
            status.isReplaceableByOthers ? Entry(path: folder, mode: status.mode) : nil
        }
        isWritable =
            if let status {
                access(path, W_OK) == 0 && status.isWritableByOwner
            } else {
                access(folder, W_OK | X_OK) == 0 && folderStatus?.isFolder == true
            }
        var disk = statvfs()
        let isKnown = statvfs(folder, &disk) == 0
        isFileSystemReadOnly = isKnown && Int32(disk.f_flag) & Int32(ST_RDONLY) != 0
        // The superuser may use the blocks that are reserved.
        let blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail
        freeBytes = isKnown ? Int(blocks) * Int(disk.f_frsize) : nil
    }

    /// The folder of a file, or the next one above it that exists.
    private static func existingFolder(above path: String) -> String {
        var folder = path
        repeat {
            guard let slash = folder.lastIndex(of: "/") else { return "." }
            folder = String(folder[..<slash])
        } while !folder.isEmpty && access(folder, F_OK) != 0
        return folder.isEmpty ? "/" : folder
    }
}
