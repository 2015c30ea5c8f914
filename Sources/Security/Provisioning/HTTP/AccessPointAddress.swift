internal import Basics

/// Where the access point of a boxed device listens.
public struct AccessPointAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IPv4 address: a boxed device has no name.
    public let host: String
    /// The port.
    public let port: UInt16

    /// The address that the vendor's devices have on their own access point.
    public static let standard = AccessPointAddress(host: "192.168.4.1", port: 80)

    private init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `http://ADDRESS[:PORT]`; `nil` for anything else.
    public init?(url: String) {
        guard url.hasPrefix("http://") else { return nil }
        var rest = url.dropFirst("http://".count)
        if rest.last == "/" { rest.removeLast() }
        guard let place = HostAndPort(rest), place.port != 0 else { return nil }
        let host = place.host == "localhost" ? "127.0.0.1" : place.host
        guard !place.isBracketed, NumericAddress(host)?.isIPv6 == false else { return nil }
        self.init(host: host, port: place.port ?? Self.standard.port)
    }

    public var description: String { "http://\(host):\(port)" }
}
