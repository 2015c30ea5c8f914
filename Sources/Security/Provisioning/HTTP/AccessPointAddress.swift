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
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = Self.numeric(parts[0]) else { return nil }
        guard parts.count == 2 else {
            self.init(host: host, port: Self.standard.port)
            return
        }
        guard let port = UInt16(parts[1]), port > 0, parts[1].first != "+" else { return nil }
        self.init(host: host, port: port)
    }

    private static func numeric(_ text: Substring) -> String? {
        if text == "localhost" { return "127.0.0.1" }
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 4, numbers.allSatisfy({ UInt8($0) != nil && $0.first != "+" }) else {
            return nil
        }
        return String(text)
    }

    public var description: String { "http://\(host):\(port)" }
}
