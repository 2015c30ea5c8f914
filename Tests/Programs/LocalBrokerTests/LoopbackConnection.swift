import Glibc

@testable import LocalBroker

/// A bare TCP connection to a local port: it tells whether somebody listens, and when they end.
final class LoopbackConnection {
    private let socket: Descriptor

    /// Connects; nil where nobody listens.
    init?(to port: UInt16) {
        socket = Descriptor(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        let number = socket.number
        guard withLoopback(port, { connect(number, $0, $1) == 0 }) else { return nil }
    }

    /// Whether the peer's end closes within a second, as it does when its process dies.
    func closesWithinOneSecond() -> Bool {
        var waiting = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 1_000) == 1 else { return false }
        var byte: UInt8 = 0
        return recv(socket.number, &byte, 1, 0) <= 0
    }

    /// Whether anybody listens on the port.
    static func isPossible(to port: UInt16) -> Bool {
        LoopbackConnection(to: port) != nil
    }
}

/// A socket that listens on a free port of 127.0.0.1 as long as it lives.
final class Listener {
    /// Its port.
    let port: UInt16
    private let socket: Descriptor

    /// Listens.
    init() throws(LocalBrokerError) {
        port = try LoopbackPort.free()
        socket = Descriptor(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        let number = socket.number
        guard withLoopback(port, { bind(number, $0, $1) == 0 }), listen(number, 1) == 0 else {
            throw LocalBrokerError(.noFreePort, "the port \(port) was taken")
        }
    }
}

/// Gives `body` the socket address of a port of 127.0.0.1, and its size.
private func withLoopback(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
