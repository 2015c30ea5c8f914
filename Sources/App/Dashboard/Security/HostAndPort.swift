internal import Glibc

/// A host with or without a port, as in `127.0.0.1:8080`, `[::1]:8080` or `hall.local`.
struct HostAndPort: Hashable, Sendable {
    /// The host in lower case; an IPv6 address has no brackets.
    let host: String
    /// The port, where there is one.
    let port: Int?
    /// Whether the host is an IPv6 address in brackets.
    private let isBracketed: Bool

    /// Reads it; `nil` where it is none.
    init?(_ text: String) {
        let (name, rest): (Substring, Substring)
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            name = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
            isBracketed = true
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            (name, rest) = (text[..<colon], text[colon...])
            isBracketed = false
        }
        guard !name.isEmpty, let port = Self.port(rest) else { return nil }
        host = name.lowercased()
        self.port = port
    }

    /// The port after a host: none, or a colon and digits.
    private static func port(_ rest: Substring) -> Int?? {
        if rest.isEmpty { return .some(nil) }
        let digits = rest.dropFirst()
        guard rest.first == ":", !digits.isEmpty,
            digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let port = Int(digits), port <= 65_535
        else { return nil }
        return port
    }

    /// Whether the host is a numeric address.
    var isNumeric: Bool {
        var address = in6_addr()
        return inet_pton(isBracketed ? AF_INET6 : AF_INET, host, &address) == 1
    }

    /// The first 64 bits of an IPv6 address; `nil` for any other text.
    static func network(ofIPv6 text: String) -> String? {
        var address = in6_addr()
        // A link-local address may name its interface.
        let digits = String(text.prefix { $0 != "%" })
        guard inet_pton(AF_INET6, digits, &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { bytes in
            bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
        }
    }

    /// Whether the host is an address of this machine alone.
    var isLoopback: Bool {
        if host == "localhost" { return true }
        var address = in6_addr()
        if isBracketed {
            guard inet_pton(AF_INET6, host, &address) == 1 else { return false }
            return withUnsafeBytes(of: &address) { bytes in
                bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
            }
        }
        guard inet_pton(AF_INET, host, &address) == 1 else { return false }
        return withUnsafeBytes(of: &address) { $0[0] == 127 }
    }
}
