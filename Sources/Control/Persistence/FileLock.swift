#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A file that this process has locked with `flock`: the kernel releases it when the process ends,
/// in whatever way, and no later process can be mistaken for it.
struct FileLock: Sendable {
    let path: String
    private let descriptor: Int32

    /// Makes the file if it is missing, and takes it.
    /// - Parameter waits: whether to wait for a present holder; otherwise `nil` is the answer, with
    ///   `errno` `EWOULDBLOCK`.
    init?(path: String, waits: Bool) {
        while true {
            let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return nil }
            guard flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 else {
                let reason = errno
                close(descriptor)
                errno = reason
                return nil
            }
            if Self.isStillNamed(path, descriptor) {
                self.path = path
                self.descriptor = descriptor
                return
            }
            // Its last holder removed the name between our two calls.
            close(descriptor)
        }
    }

    /// Unlocks the file.
    func release() { close(descriptor) }

    /// Removes the file, then unlocks it.
    func remove() {
        unlink(path)
        release()
    }

    private static func isStillNamed(_ path: String, _ descriptor: Int32) -> Bool {
        var named = stat()
        var held = stat()
        return stat(path, &named) == 0 && fstat(descriptor, &held) == 0
            && named.st_ino == held.st_ino && named.st_dev == held.st_dev
    }
}
