internal import Basics

/// Where a Matter server is, as a URL says it: `ws://` or `wss://`.
public struct MatterServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Why a URL is none of a Matter server.
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// A name, or an address without brackets.
    public let host: String
    /// The port; 5580 unless the URL names one.
    public let port: UInt16
    /// The path; `/ws` unless the URL names one.
    public let path: String
    /// Whether the connection is protected by TLS.
    public let usesTLS: Bool

    /// Reads a URL.
    /// - Throws: ``Invalid`` for another scheme, a user name or password, a fragment, and what is no host or port.
    public init(_ url: String) throws(Invalid) {
        let rest: Substring
        if url.hasPrefix("ws://") {
            usesTLS = false
            rest = url.dropFirst(5)
        } else if url.hasPrefix("wss://") {
            usesTLS = true
            rest = url.dropFirst(6)
        } else {
            throw Invalid(description: "write ws://HOST or wss://HOST")
        }
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else {
            throw Invalid(
                description: "a Matter server knows no users; leave the user name out of the URL")
        }
        let place: HostAndPort
        do throws(HostAndPort.Defect) {
            place = try HostAndPort(reading: authority)
        } catch {
            throw Invalid(description: "write a host, and a port from 1 to 65535 after a colon")
        }
        guard place.port != 0, place.host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Invalid(description: "write a host, and a port from 1 to 65535 after a colon")
        }
        host = place.host
        port = place.port ?? 5580
        let path = rest.dropFirst(authority.count)
        guard !path.contains("#"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Invalid(description: "the path must have no fragment, space or control character")
        }
        self.path = path.isEmpty ? "/ws" : path.hasPrefix("?") ? "/ws\(path)" : String(path)
    }

    /// Host and port as in a URL.
    var authority: String { HostAndPort.text(host, port) }

    public var description: String { "\(usesTLS ? "wss" : "ws")://\(authority)\(path)" }

    /// Whether the host is an address.
    var isNumeric: Bool { NumericAddress(host) != nil }

    /// Whether nothing leaves this machine on the way to it.
    public var isLoopback: Bool {
        host == "localhost" || NumericAddress(host)?.isLoopback == true
    }
}
