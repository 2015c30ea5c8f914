internal import Glibc

/// The folder of a private file. Nobody but the user and the superuser can put another file in the place of
/// one in it.
package struct PrivateFolder: Sendable {
    /// Its path without symbolic links.
    package let path: String

    /// Checks the folder and every one above it.
    /// - Parameter making: whether the folder is made, with mode 0700, where it is missing.
    /// - Throws: ``KeychainError`` `unsafe`, `system`; `notFound` if it is missing and not made.
    package init(_ path: String, making: Bool) throws(KeychainError) {
        if making { try Self.make(path) }
        guard let resolved = realpath(path.isEmpty ? "." : path, nil) else {
            guard errno != ENOENT else {
                throw KeychainError(.notFound, "there is no folder \(path)")
            }
            guard errno != EACCES else {
                throw KeychainError(
                    .unsafe,
                    "the folder \(path) is closed to you: it belongs to somebody else, or is in a folder "
                        + "that does; use a folder of your own")
            }
            throw .system("find", path)
        }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        try checkChain()
    }

    private static func make(_ path: String) throws(KeychainError) {
        guard !path.isEmpty, access(path, F_OK) != 0 else { return }
        try make(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system("make", path) }
    }

    private func checkChain() throws(KeychainError) {
        var folder = path
        while true {
            try Self.check(folder)
            guard folder != "/", let slash = folder.lastIndex(of: "/") else { return }
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
    }

    private static func check(_ folder: String) throws(KeychainError) {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .system("inspect", folder) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw KeychainError(
                .unsafe,
                "the folder \(folder) belongs to user \(status.st_uid), who could replace the files in "
                    + "it; use a folder of your own")
        }
        // In a sticky folder such as /tmp only the owner of a file can replace it.
        guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
            throw KeychainError(
                .unsafe,
                "other users can replace the files in \(folder); run chmod go-w \(folder)")
        }
    }

    /// Syncs the names in the folder.
    func sync() throws(KeychainError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system("sync", path) }
    }
}

extension KeychainError {
    /// The error of a system call that has just failed.
    static func system(_ what: String, _ path: String) -> KeychainError {
        let reason = String(cString: strerror(errno))
        return KeychainError(.system, "cannot \(what) \(path): \(reason)")
    }
}
