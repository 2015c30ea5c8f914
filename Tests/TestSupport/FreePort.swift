private import Glibc

/// A TCP port of the loopback interface on which nobody listens at the moment.
package func freePort() throws(TestSupportError) -> UInt16 {
    let listener = try LoopbackListener()
    defer { listener.close() }
    return listener.port
}

/// Why a test's surroundings could not be set up.
package struct TestSupportError: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// A listening TCP socket on a port that the system chose.
package struct LoopbackListener: Sendable {
    package let descriptor: Int32
    package let port: UInt16

    package init(backlog: Int32 = 128) throws(TestSupportError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(descriptor, raw, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, raw, &length) == 0
            }
        }
        guard descriptor >= 0, code else {
            throw TestSupportError("no loopback port: errno \(errno)")
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    package func close() {
        Glibc.close(descriptor)
    }
}
