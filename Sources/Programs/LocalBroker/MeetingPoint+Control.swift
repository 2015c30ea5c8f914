import Glibc

// Where running fleets answer questions about themselves.
extension MeetingPoint {
    private static let prefix = "control-"
    private static let suffix = ".sock"

    /// The path of a process's control socket, in the user's folder, which is made where it is missing.
    /// - Throws: ``LocalBrokerError`` where the folder is not safe to use or not writable.
    package func controlSocket(of process: Int32) throws(LocalBrokerError) -> String {
        _ = try PrivateFolder.opening(root, creating: true)
        return "\(root)/\(Self.prefix)\(process)\(Self.suffix)"
    }

    /// The control sockets of this user, also of processes that were killed, by process number.
    /// - Throws: ``LocalBrokerError`` where the folder belongs to somebody else or is open to others.
    package func controlSockets() throws(LocalBrokerError) -> [FleetSocket] {
        guard access(root, F_OK) == 0 || errno != ENOENT else { return [] }
        return try PrivateFolder.opening(root, creating: false).names()
            .filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }
            .compactMap { name in
                Int32(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
                    .map { FleetSocket(processID: $0, path: "\(root)/\(name)") }
            }
            .sorted { $0.processID < $1.processID }
    }
}

/// Where a running fleet answers.
package struct FleetSocket: Hashable, Sendable {
    /// The process of the fleet.
    package let processID: Int32
    /// The path of its socket.
    package let path: String
}
