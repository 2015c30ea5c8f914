import ArgumentParser

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
        let rule = "write HOST:PORT with a numeric address, like 127.0.0.1:9464 or [::1]:9464"
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { throw ValidationError(rule) }
        self.port = port
        let name = text[..<colon]
        if name.hasPrefix("[") && name.hasSuffix("]") {
            host = .v6(String(name.dropFirst().dropLast()))
        } else if name == "localhost" {
            host = .v4("127.0.0.1")
        } else if name.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), name.contains(".")
        {
            host = .v4(String(name))
        } else {
            throw ValidationError(rule)
        }
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
