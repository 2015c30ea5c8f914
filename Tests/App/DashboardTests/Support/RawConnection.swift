import Glibc
import TestSupport

/// A browser's connection, byte for byte.
final class RawConnection: Sendable {
    private let socket: Int32

    init(to port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw TestSupportError("no connection: errno \(errno)") }
        var longest = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &longest, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// Sends a text; each line feed becomes a line end of HTTP.
    func send(_ text: String) {
        let bytes = Array(text.utf8).flatMap { $0 == 10 ? [13, 10] : [$0] }
        _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// What comes until a text has come, or until the end.
    func read(until end: String? = nil) async throws -> String {
        try await onThread { [socket] in
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(socket, &part, part.count, 0)
                if count < 0, errno == EAGAIN { throw TestSupportError("nothing came in 20 s") }
                guard count > 0 else { break }
                bytes += part.prefix(count)
                if let end, String(decoding: bytes, as: UTF8.self).contains(end) { break }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
