#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// That other users can change a file that the set-up rests on, or read a secret one.
package struct FilePermissions: Hashable, Sendable {
    /// What is wrong.
    package let message: String
    /// What to do.
    package let remedy: String

    /// Looks at a file.
    /// - Parameter isSecret: whether others may not read it.
    /// - Returns: `nil` if nothing is wrong, or there is no such file.
    package init?(_ path: String, isSecret: Bool) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        if status.st_uid != 0, status.st_uid != geteuid() {
            message = "\(path) belongs to user \(status.st_uid), who can change it"
            remedy = "chown \(geteuid()) \(path)"
        } else if Self.isWritable(status) {
            message = "\(path) can be changed by other users: who does so decides where you connect"
            remedy = "chmod go-w \(path)"
        } else if isSecret, status.st_mode & 0o007 != 0 {
            message = "\(path) can be read by other users, and contains a secret"
            remedy = "chmod o-rwx \(path), and replace the secret"
        } else if let folder = Self.openFolder(of: path) {
            message = "\(path) can be replaced by other users, who can write to \(folder)"
            remedy = "chmod go-w \(folder)"
        } else {
            return nil
        }
    }

    /// Whether others can write. A group that has the user's name has no other member.
    private static func isWritable(_ status: stat) -> Bool {
        if status.st_mode & 0o002 != 0 { return true }
        guard status.st_mode & 0o020 != 0 else { return false }
        guard let group = getgrgid(status.st_gid), let user = getpwuid(geteuid()) else {
            return true
        }
        return strcmp(group.pointee.gr_name, user.pointee.pw_name) != 0
    }

    /// The folder of a file where others can replace it: not one like /tmp, where only the owner can.
    private static func openFolder(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        let parts = String(cString: resolved).split(separator: "/").dropLast()
        let folder = "/" + parts.joined(separator: "/")
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_ISVTX == 0, isWritable(status) else {
            return nil
        }
        return folder
    }
}
