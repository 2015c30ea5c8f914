/// Where a broker listens.
public struct MQTTBrokerAddress: Sendable, Hashable, CustomStringConvertible {
    /// A host name, or an IPv4 or IPv6 address without brackets.
    public var host: String
    public var port: UInt16

    /// The port registered for MQTT without TLS.
    public static let defaultPort: UInt16 = 1883

    /// Throws `invalidArgument` for an empty host or one with blanks or control characters.
    public init(host: String, port: UInt16 = defaultPort) throws(MQTTError) {
        try MQTTString.validate(host, as: "broker host")
        guard !host.contains(" "), !host.contains("/") else {
            throw .invalid("broker host \"\(host)\" contains a blank or a slash")
        }
        self.host = host
        self.port = port
    }

    /// Reads `mqtt://host[:port]`, an IPv6 address in brackets. Refuses user and password, paths and
    /// other schemes, saying what to write instead.
    public init(url: String) throws(MQTTError) {
        let authority = try Self.authority(of: url)
        if authority.hasPrefix("[") {
            try self.init(bracketed: authority, url: url)
        } else {
            let parts = authority.split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            try self.init(
                host: String(parts[0]), port: Self.port(parts.count > 1 ? parts[1] : nil, url: url))
        }
    }

    public var description: String {
        host.contains(":") ? "mqtt://[\(host)]:\(port)" : "mqtt://\(host):\(port)"
    }

    private init(bracketed authority: Substring, url: String) throws(MQTTError) {
        guard let end = authority.firstIndex(of: "]") else {
            throw .invalid("broker URL \"\(url)\": the bracket of the IPv6 address is not closed")
        }
        let rest = authority[authority.index(after: end)...]
        guard rest.isEmpty || rest.hasPrefix(":") else {
            throw .invalid("broker URL \"\(url)\": only :port may follow the IPv6 address")
        }
        try self.init(
            host: String(authority[authority.index(after: authority.startIndex)..<end]),
            port: Self.port(rest.isEmpty ? nil : rest.dropFirst(), url: url))
    }

    private static func authority(of url: String) throws(MQTTError) -> Substring {
        guard !url.contains("@") else {
            throw .invalid(
                "the broker URL carries a user or password: put them into a credentials file")
        }
        guard !url.hasPrefix("mqtts://") else {
            throw .invalid("mqtts:// needs TLS, which this build has not: use mqtt://")
        }
        let scheme = "mqtt://"
        guard url.hasPrefix(scheme) else {
            throw .invalid("broker URL \"\(url)\" does not have the form mqtt://host[:port]")
        }
        var authority = url.dropFirst(scheme.count)
        if authority.hasSuffix("/") { authority.removeLast() }
        guard !authority.contains(where: { "/?#".contains($0) }) else {
            throw .invalid("broker URL \"\(url)\": nothing may follow the host and port")
        }
        return authority
    }

    private static func port(_ text: Substring?, url: String) throws(MQTTError) -> UInt16 {
        guard let text else { return defaultPort }
        guard let port = UInt16(text), port > 0, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 })
        else {
            throw .invalid("broker URL \"\(url)\": the port must be a number from 1 to 65535")
        }
        return port
    }
}
