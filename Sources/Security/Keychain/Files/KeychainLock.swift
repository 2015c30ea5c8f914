internal import Glibc

/// Lets one process at a time change a keychain. The kernel releases it when the process ends.
package struct KeychainLock: ~Copyable {
    private let descriptor: Int32

    /// Waits until no other process holds it. The file and its folder are made where they are missing.
    package init(making path: String) throws(KeychainError) {
        descriptor = try Self.locked(path)
    }

    private static func locked(_ path: String) throws(KeychainError) -> Int32 {
        _ = try PrivateFolder(PrivateFile(path: path).folderPath, making: true)
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw KeychainError(.unsafe, "\(path) is a symbolic link") }
            throw .system("open", path)
        }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                close(descriptor)
                throw .system("lock", path)
            }
        }
        return descriptor
    }

    deinit { close(descriptor) }
}
