import Glibc
package import SystemPackage

// Where running fleets answer questions about themselves.
extension MeetingPoint {
    private static let prefix = "control-"
    private static let suffix = ".sock"

    /// The path of a process's control socket, in the user's folder, which is made where it is missing; the
    /// sockets of fleets that were killed are removed.
    /// - Throws: ``LocalServicesError`` where the folder is not safe to use or not writable.
    package func controlSocket(of process: Int32) throws(LocalServicesError) -> String {
        _ = try MeetingPointFolder.opening(root, creating: true)
        // A socket is left alone while its process lives, which may be about to listen, or while somebody
        // listens: a fleet in a container has a process number of its own.
        for other in try controlSockets()
        where kill(other.processID, 0) != 0 && errno == ESRCH
            && other.failure == .connectionRefused
        {
            unlink(other.path)
        }
        return "\(root)/\(Self.prefix)\(process)\(Self.suffix)"
    }

    /// The control sockets of this user, also of processes that were killed, by process number.
    /// - Throws: ``LocalServicesError`` where the folder belongs to somebody else or is open to others.
    package func controlSockets() throws(LocalServicesError) -> [FleetSocket] {
        guard access(root, F_OK) == 0 || errno != ENOENT else { return [] }
        return try MeetingPointFolder.opening(root, creating: false).names()
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

    /// Why nobody can be reached there; `nil` where somebody listens.
    package var failure: Errno? {
        do throws(Errno) {
            _ = try LocalCall(to: path, linesOf: 0)
            return nil
        } catch { return error }
    }
}
