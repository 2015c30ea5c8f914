public import DeviceControl

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A role that one process of a ledger has at a time. The kernel takes it from a process that ends, in
/// whatever way.
public struct HeldRole: Sendable {
    /// `nil` for a ledger in memory, which no other process can see, and for who has the role by another right.
    private let lock: FileLock?

    /// The role of who owns a home in a ledger of several machines.
    package static let ofOwner = HeldRole(nil)

    fileprivate init(_ lock: FileLock?) { self.lock = lock }

    /// Gives the role up.
    public func release() { lock?.remove() }
}

extension LedgerDatabase {
    /// Takes a role.
    /// - Parameter role: letters, digits and hyphens; a part of a file's name.
    /// - Returns: `nil` if somebody has it.
    /// - Throws: ``LedgerError`` where the folder beside the ledger cannot be written.
    public func take(_ role: String) throws(LedgerError) -> HeldRole? {
        guard let file else { return HeldRole(nil) }
        _ = mkdir(file.leaseFolder, 0o700)
        let path = "\(file.leaseFolder)/\(role).lock"
        if let lock = FileLock(path: path, waits: false) { return HeldRole(lock) }
        guard errno == EWOULDBLOCK else { throw .system("cannot be locked", path: path) }
        return nil
    }
}
