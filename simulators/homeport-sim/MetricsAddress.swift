import ArgumentParser
import Glibc

/// Where the metrics endpoint listens: `HOST:PORT`, `[IPv6]:PORT`.
struct MetricsAddress: Sendable {
    /// An address in numbers.
    enum Host: Sendable, Hashable {
        /// IPv4.
        case v4(String)
        /// IPv6, without brackets.
        case v6(String)
    }

    let host: Host
    let port: UInt16

    /// Reads the option's value.
    /// - Throws: a `ValidationError` saying what is allowed.
    init(_ text: String) throws {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { throw ValidationError("there is no port from 1 to 65535; \(Self.rule)") }
        self.port = port
        host = try Self.host(text[..<colon])
    }

    private static let rule =
        "write HOST:PORT with a numeric address, like 127.0.0.1:9464 or [::1]:9464"

    private static func host(_ name: Substring) throws -> Host {
        if name == "localhost" { return .v4("127.0.0.1") }
        if name.hasPrefix("["), name.hasSuffix("]") {
            let address = String(name.dropFirst().dropLast())
            guard isAddress(address, of: AF_INET6) else {
                throw ValidationError("\(address) is not an IPv6 address; \(rule)")
            }
            return .v6(address)
        }
        guard isAddress(String(name), of: AF_INET) else {
            throw ValidationError("\(name) is not an IPv4 address; \(rule)")
        }
        return .v4(String(name))
    }

    /// Whether the system can read a numeric address. Checked here because binding to one that it
    /// cannot read fails without an error number, and the message then says "Success".
    private static func isAddress(_ text: String, of family: Int32) -> Bool {
        var address = in6_addr()
        return inet_pton(family, text, &address) == 1
    }
}

extension MetricsAddress: CustomStringConvertible {
    var description: String {
        switch host {
        case .v4(let address): "\(address):\(port)"
        case .v6(let address): "[\(address)]:\(port)"
        }
    }
}
