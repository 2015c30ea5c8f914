internal import Basics

/// The address of a broker.
public struct MQTTBrokerAddress: Sendable, Hashable, CustomStringConvertible {
    /// A host name, or an IPv4 or IPv6 address without brackets.
    public var host: String
    public var port: UInt16
    /// Whether to use TLS, as in `mqtts://`.
    public var usesTLS: Bool

    /// The port registered for MQTT without TLS.
    public static let defaultPort: UInt16 = 1883
    /// The port registered for MQTT over TLS.
    public static let defaultTLSPort: UInt16 = 8883

    /// The default port is the registered one. Throws `invalidArgument` for an empty host, for blanks,
    /// control characters and what delimits the parts of a URL in it, and for a colon outside an IPv6 address.
    public init(host: String, port: UInt16? = nil, usesTLS: Bool = false) throws(MQTTError) {
        self.host = host
        self.port = port ?? (usesTLS ? Self.defaultTLSPort : Self.defaultPort)
        self.usesTLS = usesTLS
        try validate()
    }

    /// Parses `mqtt://host[:port]`, or `mqtts://…` for TLS, with IPv6 addresses in brackets. Throws for user
    /// and password, paths and other schemes, with a message that says what to write instead.
    public init(url: String) throws(MQTTError) {
        // The scheme of a URL has no case (RFC 3986, section 3.1).
        let scheme = url.prefix { $0 != ":" }
        let url = scheme.lowercased() + url.dropFirst(scheme.count)
        let usesTLS = url.hasPrefix("mqtts://")
        let authority = try Self.authority(of: url, scheme: usesTLS ? "mqtts://" : "mqtt://")
        let place = try Self.place(authority, url)
        try self.init(host: place.host, port: place.port, usesTLS: usesTLS)
    }

    public var description: String {
        (usesTLS ? "mqtts://" : "mqtt://") + HostAndPort.text(host, port)
    }

    private static func place(_ text: Substring, _ url: String) throws(MQTTError) -> HostAndPort {
        let place: HostAndPort
        do throws(HostAndPort.Defect) {
            place = try HostAndPort(reading: text)
        } catch {
            throw .invalid("broker URL \"\(url)\": \(reason(error))")
        }
        guard place.port != 0 else { throw .invalid("broker URL \"\(url)\": \(reason(.port))") }
        guard !place.isBracketed || HostResolver.isIPv6(place.host) else {
            throw .invalid(
                "broker URL \"\(url)\": what is in brackets is not an IPv6 address; write a host name "
                    + "without brackets")
        }
        return place
    }

    private static func reason(_ defect: HostAndPort.Defect) -> String {
        switch defect {
        case .noHost: "there is no host"
        case .openBracket: "the bracket of the IPv6 address is not closed"
        case .textAfterBracket: "only :port may follow the IPv6 address"
        case .port: "the port must be a number from 1 to 65535"
        }
    }

    private static func authority(
        of url: String, scheme: String
    ) throws(MQTTError) -> Substring {
        guard !url.contains("@") else {
            throw .invalid(
                "the broker URL carries a user or password: put them into a credentials file")
        }
        guard url.hasPrefix(scheme) else {
            throw .invalid(
                "broker URL \"\(url)\" does not have the form mqtt://host[:port] or mqtts://…")
        }
        var authority = url.dropFirst(scheme.count)
        if authority.hasSuffix("/") { authority.removeLast() }
        guard !authority.contains(where: { "/?#".contains($0) }) else {
            throw .invalid("broker URL \"\(url)\": nothing may follow the host and port")
        }
        return authority
    }
}
