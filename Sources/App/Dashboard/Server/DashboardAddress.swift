internal import Basics
internal import Glibc

/// Where the dashboard listens: `HOST:PORT` or `[IPv6]:PORT`, with an address in numbers or
/// `localhost`. Port 0 stands for any free one.
public struct DashboardAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in numbers, without brackets.
    let host: String
    /// The port.
    var port: Int
    /// Whether only programs of this machine reach it.
    public let isLoopback: Bool
    private let isIPv6: Bool

    private static let rule =
        "write HOST:PORT with a numeric address, such as 127.0.0.1:8080 or [::1]:8080"

    /// Reads an address.
    /// - Throws: ``DashboardError`` `options` that says what to write.
    public init(_ text: String) throws(DashboardError) {
        guard let place = HostAndPort(text.lowercased()), let port = place.port else {
            throw DashboardError(
                .options, "'\(text)' has no host and port from 0 to 65535; \(Self.rule)")
        }
        let host = place.host == "localhost" ? "127.0.0.1" : place.host
        guard let address = place.host == "localhost" ? NumericAddress(host) : place.address else {
            throw DashboardError(
                .options, "'\(place.host)' is not a numeric address; \(Self.rule)")
        }
        self.host = host
        self.port = Int(port)
        isLoopback = address.isLoopback
        isIPv6 = address.isIPv6
    }

    public var description: String { HostAndPort.text(host, port) }

    /// Whether every address of this machine is meant.
    var isEvery: Bool { host == "0.0.0.0" || host == "::" }

    /// The host under which a browser of this machine reaches it.
    var reachableHost: String {
        if isEvery { return isIPv6 ? "[::1]" : "127.0.0.1" }
        return HostAndPort.bracketed(host)
    }

    /// Whether names below `localhost` lead here: browsers take them for 127.0.0.1 and ::1.
    var isLocalhost: Bool { host == "127.0.0.1" || host == "::1" }

    /// Keeps the same port of the other address of `localhost` from other programs: a browser tries both, and
    /// would give them what is meant for this one.
    /// - Returns: what holds the port; `nil` where the machine has no such address.
    /// - Throws: ``DashboardError`` `address` where another program has it already.
    func holdOtherLocalhost() throws(DashboardError) -> HeldPort? {
        guard let other = try? DashboardAddress(isIPv6 ? "127.0.0.1:\(port)" : "[::1]:\(port)")
        else {
            return nil
        }
        let socket = Glibc.socket(
            other.isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue),
            0)
        guard socket >= 0 else { return nil }
        let held = HeldPort(socket: socket)
        guard other.bind(socket) != 0 else { return held }
        guard errno == EADDRINUSE else { return nil }
        throw DashboardError(
            .address,
            "another program listens on \(other), and browsers of this machine that look for the "
                + "dashboard on \(self) could reach it instead; choose another port with --http")
    }

    /// Sees whether the address can be listened on.
    /// - Throws: ``DashboardError`` `address`.
    func requireFree() throws(DashboardError) {
        let socket = Glibc.socket(
            isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw failure(errno) }
        defer { close(socket) }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(socket) == 0, listen(socket, 1) == 0 else { throw failure(errno) }
    }

    private func bind(_ socket: Int32) -> Int32 {
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = in_port_t(port).bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            return Self.bind(socket, &address)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return Self.bind(socket, &address)
    }

    private static func bind<Address>(_ socket: Int32, _ address: inout Address) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private func failure(_ number: Int32) -> DashboardError {
        let remedy =
            switch number {
            case EADDRINUSE: "another program listens there; choose another port with --http"
            case EADDRNOTAVAIL: "it is no address of this machine; name one of its own"
            case EACCES: "ports below 1024 need more rights; choose a port from 1024 on"
            default: String(cString: strerror(number))
            }
        return DashboardError(.address, "cannot serve the dashboard on \(self): \(remedy)")
    }
}

/// A port that nobody else can listen on for as long as this exists.
final class HeldPort: Sendable {
    private let socket: Int32

    /// - Parameter socket: one that is bound; it is closed with this object.
    init(socket: Int32) { self.socket = socket }

    deinit { close(socket) }
}
