import Glibc
import SystemPackage

/// A folder that belongs to the user and that nobody else can enter, held open.
///
/// Files inside are opened relative to the descriptor, so that replacing a component of the path
/// has no effect.
struct MeetingPointFolder: ~Copyable {
    /// Its path, for messages.
    let path: String
    /// The open folder.
    let descriptor: UniqueDescriptor

    /// Opens a folder by its path, making it with mode 0700 first where asked to.
    ///
    /// - Throws: `unsafeMeetingPoint` where it is a symbolic link, no folder, somebody else's or
    ///   open to others; `system` where it cannot be made or opened.
    static func opening(
        _ path: String, creating: Bool
    ) throws(LocalServicesError) -> MeetingPointFolder {
        try at(AT_FDCWD, path, path, creating: creating)
    }

    /// Opens a folder inside this one.
    func child(_ name: String, creating: Bool) throws(LocalServicesError) -> MeetingPointFolder {
        try Self.at(descriptor.number, name, "\(path)/\(name)", creating: creating)
    }

    private static func at(
        _ parent: Int32, _ name: String, _ path: String, creating: Bool
    ) throws(LocalServicesError) -> MeetingPointFolder {
        if creating, !make(name, in: parent) { throw refused("make", path, .last) }
        let descriptor = try opened(parent, name, path)
        guard let status = try? descriptor.status() else { throw refused("inspect", path, .last) }
        guard status.st_uid == geteuid() else {
            throw unsafe(path, "belongs to user \(status.st_uid), not to you (\(geteuid()))")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw unsafe(path, "is open to other users; close it with `chmod 700 \(path)`")
        }
        return MeetingPointFolder(path: path, descriptor: descriptor)
    }

    private static func opened(
        _ parent: Int32, _ name: String, _ path: String
    ) throws(LocalServicesError) -> UniqueDescriptor {
        do throws(Errno) {
            return try UniqueDescriptor(name, in: parent, O_RDONLY | O_DIRECTORY)
        } catch {
            throw error == .notDirectory || error == .tooManySymbolicLinkLevels
                ? unsafe(path, "is a symbolic link or no folder") : refused("open", path, error)
        }
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

    private static func unsafe(_ path: String, _ why: String) -> LocalServicesError {
        LocalServicesError(
            .unsafeMeetingPoint,
            "\(path) \(why): another user could direct you to a broker of theirs; remove it, set "
                + "XDG_RUNTIME_DIR to a folder of yours, or name the broker with --broker URL")
    }

    /// The error of a system call, with what to do where the system refuses access, as it does where
    /// another user owns the path.
    static func refused(_ what: String, _ path: String, _ failure: Errno) -> LocalServicesError {
        let remedy =
            failure == .permissionDenied || failure == .notPermitted
            ? "; another user, perhaps root, owns it: have it removed, or set XDG_RUNTIME_DIR to a "
                + "folder of yours" : ""
        return LocalServicesError(
            .system, "cannot \(what) \(path): \(failure)\(remedy)", underlying: failure)
    }
}
