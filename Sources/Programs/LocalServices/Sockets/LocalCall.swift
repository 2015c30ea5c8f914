import Glibc
package import SystemPackage

/// A connection to another program of this user, with blocking calls: for a process that does nothing else, or a
/// thread of its own.
package struct LocalCall: ~Copyable {
    private let socket: UniqueDescriptor
    private var lines: LineReader

    /// Connects.
    /// - Parameters:
    ///   - path: the socket of the other program, in a folder that nobody else can enter.
    ///   - limit: the longest line that it may write, in bytes.
    /// - Throws: `connectionRefused` or `noSuchFileOrDirectory` where nobody listens.
    package init(to path: String, linesOf limit: Int) throws(Errno) {
        var address = try sockaddr_un(path: path)
        let socket = try UniqueDescriptor(
            Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        let number = socket.number
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw .last }
        self.socket = socket
        lines = LineReader(limit: limit)
    }

    /// The socket, for a signal handler.
    package var descriptor: Int32 { socket.number }

    /// Sends a line.
    /// - Throws: ``LocalServicesError`` `unanswered` where the connection breaks.
    package func send(_ line: [UInt8]) throws(LocalServicesError) {
        do throws(Errno) {
            try socket.send(line: line)
        } catch { throw Self.broken(error) }
    }

    private static func broken(_ failure: Errno) -> LocalServicesError {
        LocalServicesError(.unanswered, "\(failure)", underlying: failure)
    }

    /// Waits for the next line.
    /// - Returns: the line without its end; `nil` at the end of the connection.
    /// - Throws: ``LocalServicesError`` `unanswered` after the deadline or where the connection breaks,
    ///   `malformed` for a line that is too long.
    package mutating func line(
        before deadline: ContinuousClock.Instant? = nil
    ) throws(LocalServicesError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            if let line = try lines.next() { return line }
            do throws(Errno) {
                if let deadline { try wait(until: deadline) }
                let count = try socket.receive(into: &bytes)
                if count == 0 { return nil }
                lines.append(Array(bytes[..<count]))
            } catch { throw Self.broken(error) }
        }
    }

    /// Returns once there is something to read, or the other end has gone away.
    private func wait(until deadline: ContinuousClock.Instant) throws(Errno) {
        while true {
            var entry = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
            let rest = max(.zero, ContinuousClock.now.duration(to: deadline))
            let count = poll(&entry, 1, Int32((rest / .milliseconds(1)).rounded(.up)))
            if count > 0 { return }
            guard count < 0, errno == EINTR else { throw count < 0 ? .last : .timedOut }
        }
    }
}

extension sockaddr_un {
    /// The address of a path.
    /// - Throws: `fileNameTooLong` above 107 bytes (`unix(7)`).
    init(path: String) throws(Errno) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: sun_path) else { throw .fileNameTooLong }
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: bytes) }
    }
}
