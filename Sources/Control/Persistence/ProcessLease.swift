internal import Basics
internal import DeviceControl

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Shows that a process is running: a file beside the database, locked with `flock` under a random
/// name.
///
/// The kernel releases the lock when the process ends, and a reused process id does not matter. Who
/// can lock the lease of another process knows that it has ended.
final class ProcessLease: Sendable {
    /// The name of this process's lease; new for every process.
    let name: String
    private let folder: String?
    private let held = Guarded<FileLock?>(nil)

    /// - Parameter folder: where the leases lie; `nil` where no other process can see the ledger.
    init(folder: String?) {
        self.folder = folder
        name = UInt64.random(in: .min ... .max).hexadecimal
    }

    deinit { release() }

    /// Takes the lease, once; before anything is owned.
    func hold() throws(LedgerError) {
        guard let folder else { return }
        try held.withLock { held throws(LedgerError) in
            guard held == nil else { return }
            _ = mkdir(folder, 0o700)
            guard let lock = FileLock(path: path(of: name, in: folder), waits: false) else {
                throw .system("cannot be locked", path: path(of: name, in: folder))
            }
            held = lock
        }
    }

    /// Gives the lease up.
    func release() {
        held.withLock { held in
            held?.remove()
            held = nil
        }
    }

    /// Takes the lease of a dead process.
    /// - Returns: `nil` if that process lives.
    func take(from other: String) -> TakenLease? {
        guard let folder, other != name else { return nil }
        let path = path(of: other, in: folder)
        guard access(path, F_OK) == 0 else { return TakenLease(lock: nil) }
        return FileLock(path: path, waits: false).map { TakenLease(lock: $0) }
    }

    private func path(of name: String, in folder: String) -> String { "\(folder)/\(name).lease" }
}

/// The lease of a dead process, held while its commands are adopted, so that only one does so.
struct TakenLease: Sendable {
    /// The lease; `nil` if it was given up in order.
    let lock: FileLock?

    /// Removes the lease: the dead process owns nothing any more.
    func discard() { lock?.remove() }
}
