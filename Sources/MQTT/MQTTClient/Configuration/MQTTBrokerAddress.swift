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
        if authority.hasPrefix("[") {
            try self.init(bracketed: authority, url: url, usesTLS: usesTLS)
        } else {
            let parts = authority.split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            try self.init(
                host: String(parts[0]), port: Self.port(parts.count > 1 ? parts[1] : nil, url: url),
                usesTLS: usesTLS)
        }
    }

    public var description: String {
        (usesTLS ? "mqtts://" : "mqtt://") + (host.contains(":") ? "[\(host)]" : host)
            + ":\(port)"
    }

    private init(bracketed authority: Substring, url: String, usesTLS: Bool) throws(MQTTError) {
        guard let end = authority.firstIndex(of: "]") else {
            throw .invalid("broker URL \"\(url)\": the bracket of the IPv6 address is not closed")
        }
        let rest = authority[authority.index(after: end)...]
        guard rest.isEmpty || rest.hasPrefix(":") else {
            throw .invalid("broker URL \"\(url)\": only :port may follow the IPv6 address")
        }
        let host = String(authority[authority.index(after: authority.startIndex)..<end])
        guard HostResolver.isIPv6(host) else {
            throw .invalid(
                "broker URL \"\(url)\": what is in brackets is not an IPv6 address; write a host name "
                    + "without brackets")
        }
        try self.init(
            host: host,
            port: Self.port(rest.isEmpty ? nil : rest.dropFirst(), url: url), usesTLS: usesTLS)
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

    private static func port(_ text: Substring?, url: String) throws(MQTTError) -> UInt16? {
        guard let text else { return nil }
        guard let port = UInt16(text), port > 0, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 })
        else {
            throw .invalid("broker URL \"\(url)\": the port must be a number from 1 to 65535")
        }
        return port
    }
}
