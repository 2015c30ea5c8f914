import Glibc
import LocalServices
import SystemPackage

/// Free ports of the loopback interface.
enum LoopbackPort {
    /// A port that nothing listened on a moment ago.
    ///
    /// Another process may take it before the broker does; whoever starts the broker tries again.
    static func free() throws(LocalServicesError) -> UInt16 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        guard socket >= 0, let port = bindToAny(socket) else {
            let failure = Errno(rawValue: errno)
            throw LocalServicesError(
                .noFreePort, "no free loopback port for a private broker: \(failure)",
                underlying: failure)
        }
        return port
    }

    /// Binds to port 0 of 127.0.0.1 and says which port that became, nil with `errno` set.
    private static func bindToAny(_ number: Int32) -> UInt16? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(number, generic, length) == 0 && getsockname(number, generic, &length) == 0
            }
        }
        return bound ? UInt16(bigEndian: address.sin_port) : nil
    }
}
