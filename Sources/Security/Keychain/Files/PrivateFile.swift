internal import Glibc

/// A file that its user alone can read and replace.
package struct PrivateFile: Sendable {
    /// Bytes of a file at most.
    private static let largest = 64 << 20

    /// A step of a write, in order.
    package enum Step: CaseIterable, Sendable {
        case made, written, synced, renamed, folderSynced
    }

    package let path: String
    /// Called behind each step of a write: tests end the process there.
    var onStep: @Sendable (Step) -> Void = { _ in }

    /// A file; nothing is read or made.
    package init(path: String) { self.path = path }

    init(path: String, onStep: @escaping @Sendable (Step) -> Void) {
        self.path = path
        self.onStep = onStep
    }

    /// The folder of the file.
    var folderPath: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Who may own the file.
    package enum Ownership: Sendable {
        /// The user, who alone may read it.
        case user
        /// The service manager, which lets the user read it.
        case serviceManager
    }

    // MARK: Reading

    /// The contents; `nil` if there is no file.
    /// - Throws: ``KeychainError`` `unsafe` if somebody else could read or replace it, `system`.
    package func read(_ ownership: Ownership = .user) throws(KeychainError) -> Secret? {
        do {
            _ = try PrivateFolder(folderPath, making: false)
        } catch {
            guard error.code != .notFound else { return nil }
            throw error
        }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno != ENOENT else { return nil }
            guard errno != ELOOP else { throw unsafe("is a symbolic link") }
            let error = KeychainError.system("open", path)
            var status = stat()
            if lstat(path, &status) == 0, status.st_uid != geteuid() {
                throw unsafe("belongs to user \(status.st_uid)")
            }
            throw error
        }
        defer { close(descriptor) }
        return try contents(of: descriptor, size: try check(descriptor, ownership))
    }

    /// - Returns: the size in bytes.
    private func check(
        _ descriptor: Int32, _ ownership: Ownership
    ) throws(KeychainError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("inspect", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unsafe("is not a regular file") }
        switch ownership {
        case .user:
            guard status.st_uid == geteuid() else {
                throw unsafe("belongs to user \(status.st_uid)")
            }
            guard status.st_mode & 0o077 == 0 else {
                throw unsafe("is open to others (mode 0\(mode(status))); run chmod 600 \(path)")
            }
        case .serviceManager:
            // The service manager lets the user in by an access list, which shows as the group's bits.
            guard [0, geteuid()].contains(status.st_uid) else {
                throw unsafe("belongs to user \(status.st_uid), not to root")
            }
            guard status.st_mode & 0o027 == 0 else {
                throw unsafe(
                    "is open to others (mode 0\(mode(status))); the service manager gives it the mode 0400"
                )
            }
        }
        guard status.st_size <= Self.largest else {
            throw KeychainError(.damaged, "\(path) is too large to be what it should be")
        }
        return Int(status.st_size)
    }

    private func mode(_ status: stat) -> String { String(status.st_mode & 0o777, radix: 8) }

    private func unsafe(_ why: String) -> KeychainError {
        KeychainError(
            .unsafe, "\(path) \(why): somebody else could have read or replaced what is in it")
    }

    private func contents(of descriptor: Int32, size: Int) throws(KeychainError) -> Secret {
        var count = 0
        let contents = Secret(count: size) { buffer in
            while count < size {
                let part = Glibc.read(
                    descriptor, buffer.baseAddress.map { $0 + count }, size - count)
                guard part > 0 else { return }
                count += part
            }
        }
        guard count == size else { throw .system("read", path) }
        return contents
    }

    // MARK: Writing

    /// Puts new contents in the place of the file, for the user alone. A crash at any moment leaves the old
    /// or the new contents. The caller holds the lock of the keychain.
    package func write(_ contents: Secret) throws(KeychainError) {
        let folder = try PrivateFolder(folderPath, making: true)
        let draft = path + ".new"
        unlink(draft)
        do throws(KeychainError) {
            try write(contents, to: draft)
            guard rename(draft, path) == 0 else { throw KeychainError.system("replace", path) }
            onStep(.renamed)
        } catch {
            unlink(draft)
            throw error
        }
        try folder.sync()
        onStep(.folderSynced)
    }

    /// Makes the folder of the file where it is missing, and checks that the file can be written.
    /// - Throws: ``KeychainError`` `unsafe`, `system`.
    package func checkThatItCanBeWritten() throws(KeychainError) {
        _ = try PrivateFolder(folderPath, making: true)
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw KeychainError(.system, "cannot write \(path): it is a folder")
        }
        // The permissions alone do not tell, above all not to the superuser.
        let probe = "\(path).\(getpid())"
        unlink(probe)
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("write", path) }
        close(descriptor)
        unlink(probe)
    }

    private func write(_ contents: Secret, to draft: String) throws(KeychainError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(draft, flags, 0o600)
        guard descriptor >= 0 else { throw .system("make", draft) }
        defer { close(descriptor) }
        onStep(.made)
        let isWritten = contents.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        guard isWritten else { throw .system("write", draft) }
        onStep(.written)
        guard fsync(descriptor) == 0 else { throw .system("sync", draft) }
        onStep(.synced)
    }
}
