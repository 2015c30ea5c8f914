/// A host with or without a port, as in `127.0.0.1:8080`, `[::1]:8080` or `hall.local`.
package struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
    /// Why a text is none.
    package enum Defect: Error, Hashable, Sendable {
        /// There is no host.
        case noHost
        /// A bracket is not closed.
        case openBracket
        /// Something else than a port follows the bracket.
        case textAfterBracket
        /// The port is no number from 0 to 65535 in decimal digits.
        case port
    }

    /// The host as it was written, without brackets.
    package let host: String
    /// The port, where there is one.
    package let port: UInt16?
    /// Whether the host was in brackets, as IPv6 addresses are.
    package let isBracketed: Bool

    /// Reads a text. Whether the host is a name or an address is not checked.
    package init(reading text: some StringProtocol) throws(Defect) {
        let (name, rest) = try Self.split(text)
        guard !name.isEmpty else { throw .noHost }
        port = try Self.port(rest)
        host = String(name)
        isBracketed = text.hasPrefix("[")
    }

    /// Reads a text; `nil` where it is none.
    package init?(_ text: some StringProtocol) {
        do throws(Defect) { try self.init(reading: text) } catch { return nil }
    }

    /// A host and its port as they are written: IPv6 addresses in brackets.
    package static func text(_ host: String, _ port: some BinaryInteger) -> String {
        "\(bracketed(host)):\(port)"
    }

    /// A host as it is written before a port.
    package static func bracketed(_ host: String) -> String {
        host.contains(":") ? "[\(host)]" : host
    }

    package var description: String {
        port.map { Self.text(host, $0) } ?? Self.bracketed(host)
    }

    /// The address, where the host is one: in brackets of IPv6, without them of IPv4.
    package var address: NumericAddress? {
        guard let address = NumericAddress(host), address.isIPv6 == isBracketed else { return nil }
        return address
    }

    private static func split<Text: StringProtocol>(
        _ text: Text
    ) throws(Defect) -> (Text.SubSequence, Text.SubSequence) {
        guard text.hasPrefix("[") else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            return (text[..<colon], text[colon...])
        }
        guard let end = text.firstIndex(of: "]") else { throw .openBracket }
        let rest = text[text.index(after: end)...]
        guard rest.isEmpty || rest.hasPrefix(":") else { throw .textAfterBracket }
        return (text[text.index(after: text.startIndex)..<end], rest)
    }

    /// The port after a host: none, or a colon and digits.
    private static func port(_ rest: some StringProtocol) throws(Defect) -> UInt16? {
        if rest.isEmpty { return nil }
        let digits = rest.dropFirst()
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits) else {
            throw .port
        }
        return port
    }
}
