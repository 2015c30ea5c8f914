import Glibc

/// A folder that belongs to the user and that nobody else can enter, held open.
///
/// Files inside are opened relative to the descriptor, so that replacing a component of the path
/// has no effect.
struct PrivateFolder: ~Copyable {
    /// Its path, for messages.
    let path: String
    /// The open folder.
    let descriptor: Descriptor

    /// Opens a folder by its path, making it with mode 0700 first where asked to.
    ///
    /// - Throws: `unsafeMeetingPoint` where it is a symbolic link, no folder, somebody else's or
    ///   open to others; `system` where it cannot be made or opened.
    static func opening(
        _ path: String, creating: Bool
    ) throws(LocalBrokerError) -> PrivateFolder {
        try at(AT_FDCWD, path, path, creating: creating)
    }

    /// Opens a folder inside this one.
    func child(_ name: String, creating: Bool) throws(LocalBrokerError) -> PrivateFolder {
        try Self.at(descriptor.number, name, "\(path)/\(name)", creating: creating)
    }

    private static func at(
        _ parent: Int32, _ name: String, _ path: String, creating: Bool
    ) throws(LocalBrokerError) -> PrivateFolder {
        if creating, !make(name, in: parent) { throw refused("make", path) }
        let descriptor = Descriptor(
            openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
        guard descriptor.isOpen else {
            guard errno != ENOTDIR && errno != ELOOP else {
                throw unsafe(path, "is a symbolic link or no folder")
            }
            throw refused("open", path)
        }
        try check(descriptor, path)
        return PrivateFolder(path: path, descriptor: descriptor)
    }

    /// Makes a folder, and those above it where they are missing.
    /// - Returns: whether it is there.
    private static func make(_ name: String, in parent: Int32) -> Bool {
        if mkdirat(parent, name, 0o700) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT, let end = name.lastIndex(of: "/"), end > name.startIndex,
            make(String(name[..<end]), in: parent)
        else { return false }
        return mkdirat(parent, name, 0o700) == 0 || errno == EEXIST
    }

    private static func check(
        _ descriptor: borrowing Descriptor, _ path: String
    ) throws(LocalBrokerError) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw refused("inspect", path) }
        guard status.st_uid == geteuid() else {
            throw unsafe(path, "belongs to user \(status.st_uid), not to you (\(geteuid()))")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw unsafe(path, "is open to other users; close it with `chmod 700 \(path)`")
        }
    }

    private static func unsafe(_ path: String, _ why: String) -> LocalBrokerError {
        LocalBrokerError(
            .unsafeMeetingPoint,
            "\(path) \(why): another user could direct you to a broker of theirs; remove it, set "
                + "XDG_RUNTIME_DIR to a folder of yours, or name the broker with --broker URL")
    }

    /// What to do where the system refuses access, as it does where another user owns the path.
    private static func remedy(for failure: SystemFailure) -> String {
        guard failure.number == EACCES || failure.number == EPERM else { return "" }
        return
            "; another user, perhaps root, owns it: have it removed, or set XDG_RUNTIME_DIR to a "
            + "folder of yours"
    }

    /// The error of a system call that has just failed.
    static func refused(_ what: String, _ path: String) -> LocalBrokerError {
        let failure = SystemFailure.last
        return LocalBrokerError(
            .system, "cannot \(what) \(path): \(failure)\(remedy(for: failure))",
            underlying: failure)
    }
}
