internal import Basics

/// Where a broker listens: a host and two ports in a row, for devices and for controllers.
public struct ListenerAddress: Hashable, Sendable {
    /// A name or address of this machine.
    public let host: String
    /// The port for devices; controllers have the next one.
    public let port: UInt16

    /// Reads `HOST:PORT`, where an IPv6 address is in brackets; `nil` for anything else, and for the last
    /// port, which has no next one.
    public init?(_ text: String) {
        guard let place = HostAndPort(text), let port = place.port,
            (1..<UInt16.max).contains(port), place.isBracketed == place.host.contains(":"),
            Self.isHost(place.host)
        else { return nil }
        host = place.host
        self.port = port
    }

    /// Whether a text is an address without brackets, or a name: labels of letters, digits, `-` and `_` with dots
    /// between them, the last of which is no number.
    public static func isHost(_ text: String) -> Bool {
        if NumericAddress(text) != nil { return true }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.utf8.allSatisfy(allowed.contains)
            } && labels.last?.allSatisfy(\.isNumber) == false
    }

    private static let allowed = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)

    /// Names and addresses that the broker's certificate is for.
    var names: [String] {
        let loopback = ["localhost", "127.0.0.1", "::1"]
        let isUnspecified = NumericAddress(host)?.isUnspecified == true
        return (isUnspecified || loopback.contains(host) ? [] : [host]) + loopback
    }

    /// The port of a kind of clients.
    func port(of kind: IdentityKind) -> UInt16 {
        switch kind {
        case .device: port
        case .controller, .server: port + 1
        }
    }

    /// Where clients of a kind connect.
    /// - Parameter names: other names of the broker. Where it listens on every address the first of them is
    ///   the one; without any it is `localhost`, which other machines do not reach.
    func url(of kind: IdentityKind, named names: [String] = []) -> String {
        let isUnspecified = NumericAddress(host)?.isUnspecified == true
        let host = isUnspecified ? names.first ?? "localhost" : host
        return "mqtts://" + HostAndPort.text(host, port(of: kind))
    }
}
