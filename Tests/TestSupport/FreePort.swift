private import Glibc

/// Below the ports that the system gives to clients, from 32,768 on (`ip_local_port_range`): no connection of
/// another test takes one of these before the broker does that it is chosen for.
private let brokerPorts: ClosedRange<UInt16> = 10_000...32_000

/// A TCP port of the loopback interface on which nobody listens at the moment.
package func freePort() throws(TestSupportError) -> UInt16 { try freePorts(1) }

/// The first of two such ports in a row.
package func freePortPair() throws(TestSupportError) -> UInt16 { try freePorts(2) }

/// The first of some such ports in a row.
private func freePorts(_ count: UInt16) throws(TestSupportError) -> UInt16 {
    var failure = TestSupportError("no loopback port is free")
    for _ in 0..<100 {
        let first = UInt16.random(in: brokerPorts)
        do throws(TestSupportError) {
            for port in first..<first + count { try LoopbackListener(on: port).close() }
            return first
        } catch {
            failure = error
        }
    }
    throw failure
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
        if wanted != 0 {
            // Connections of a former listener on the port may still be ending.
            var isOn: Int32 = 1
            setsockopt(
                descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
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
