#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What a process may do with the file of a ledger.
enum LedgerAccess: Hashable, Sendable {
    /// Read and write.
    case readWrite
    /// Read only: its file system or its permissions forbid writing.
    case readOnly
}

/// Tells a file from every other one, also under another name.
struct FileIdentity: Hashable, Sendable {
    let device: dev_t
    let number: ino_t
}

/// What the file system says about a name.
struct FileStatus {
    private let status: stat

    /// - Returns: `nil` if there is nothing of this name.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.status = status
    }

    /// Which file it is.
    var identity: FileIdentity {
        FileIdentity(device: status.st_dev, number: status.st_ino)
    }

    /// The id of the user who owns it.
    var owner: UInt32 { status.st_uid }

    /// Whether it is a folder.
    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }

    /// Whether it is a regular file.
    var isRegularFile: Bool { status.st_mode & S_IFMT == S_IFREG }

    /// The permissions, as `chmod` takes them.
    var mode: String { "0" + String(status.st_mode & 0o7777, radix: 8) }

    /// Whether its owner may write it, whoever the owner is.
    var isWritableByOwner: Bool { status.st_mode & S_IWUSR != 0 }

    /// Whether it is a folder in which users other than its owner can replace files.
    var isReplaceableByOthers: Bool {
        isFolder && status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
    }

    /// Whether it is a file that anybody but its owner may open.
    var isOpenToOthers: Bool {
        status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o077 != 0
    }
}
