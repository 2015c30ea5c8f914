import Glibc

/// Blocking calls on a socket of this machine, for a process that does nothing else.
enum UnixSocket {
    /// Connects to a socket; `nil` where nobody listens.
    static func connected(to path: String) -> Int32? {
        guard var address = address(of: path) else { return nil }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result == 0 { return socket }
        close(socket)
        return nil
    }

    /// The address of a path; `nil` where it is too long for one.
    static func address(of path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    /// Whether there is something to read within a time, or the other end has gone away.
    static func canBeRead(_ socket: Int32, within time: Duration) -> Bool {
        let deadline = ContinuousClock.now + time
        while true {
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let rest = max(.zero, ContinuousClock.now.duration(to: deadline))
            let count = poll(&entry, 1, Int32(rest / .milliseconds(1)))
            guard count < 0, errno == EINTR else { return count > 0 }
        }
    }

    /// Reads what has come, at least one byte; empty at the end, `nil` for an error.
    static func read(from socket: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(socket, &bytes, bytes.count)
            if count >= 0 { return Array(bytes[..<count]) }
            guard errno == EINTR else { return nil }
        }
    }
}
