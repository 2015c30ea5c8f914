private import Glibc

/// A TCP port of the loopback interface on which nobody listens at the moment.
package func freePort() throws(TestSupportError) -> UInt16 {
    let listener = try LoopbackListener()
    defer { listener.close() }
    return listener.port
}

/// The first of two such ports in a row.
package func freePortPair() throws(TestSupportError) -> UInt16 {
    while true {
        let first = try LoopbackListener()
        defer { first.close() }
        if let second = try? LoopbackListener(on: first.port &+ 1) {
            second.close()
            return first.port
        }
    }
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

    /// - Parameter wanted: the port; 0 for one that the system chooses.
    package init(
        on wanted: UInt16 = 0, backlog: Int32 = 128
    ) throws(TestSupportError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        address.sin_port = wanted.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(descriptor, raw, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, raw, &length) == 0
            }
        }
        guard descriptor >= 0, code else {
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw TestSupportError("no loopback port: errno \(errno)")
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    package func close() {
        Glibc.close(descriptor)
    }
}
