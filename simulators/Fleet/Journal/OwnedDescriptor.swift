import Glibc

/// An open file descriptor that closes with its last owner.
final class OwnedDescriptor: Sendable {
    /// The descriptor.
    let number: Int32

    /// Opens a path, invisible to child processes; new files are for this user alone.
    /// - Throws: ``SystemFailure``.
    init(opening path: String, _ flags: Int32) throws(SystemFailure) {
        number = open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .last }
    }

    deinit {
        guard number >= 0 else { return }
        // A child between fork and exec shares the descriptor, and would keep a lock alive.
        flock(number, LOCK_UN)
        close(number)
    }
}
