import Glibc

/// A bare TCP connection to a local port: it tells whether somebody listens, and when they end.
package final class LoopbackConnection {
    private let socket: Int32

    /// Connects; nil where nobody listens.
    package init?(to port: UInt16) {
        let number = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        socket = number
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { return nil }
    }

    deinit { close(socket) }

    /// Whether the peer's end closes within a second, as it does when its process dies.
    package func closesWithinOneSecond() -> Bool {
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 1_000) == 1 else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, 0) <= 0
    }

    /// Whether anybody listens on the port.
    package static func isPossible(to port: UInt16) -> Bool {
        LoopbackConnection(to: port) != nil
    }
}
