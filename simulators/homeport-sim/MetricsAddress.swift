import ArgumentParser
import Basics

/// Where the metrics endpoint listens: `HOST:PORT`, `[IPv6]:PORT`.
struct MetricsAddress: Sendable {
    /// An IPv4 or IPv6 address in numbers, without brackets.
    let host: String
    let port: UInt16

    /// Reads the option's value.
    /// - Throws: a `ValidationError` saying what is allowed.
    init(_ text: String) throws {
        guard let place = HostAndPort(text), let port = place.port, port > 0 else {
            throw ValidationError("there is no port from 1 to 65535; \(Self.rule)")
        }
        guard place.host == "localhost" || place.address != nil else {
            throw ValidationError(
                "\(place.host) is not an \(place.isBracketed ? "IPv6" : "IPv4") address; \(Self.rule)"
            )
        }
        host = place.host == "localhost" ? "127.0.0.1" : place.host
        self.port = port
    }

    private static let rule =
        "write HOST:PORT with a numeric address, like 127.0.0.1:9464 or [::1]:9464"
}

extension MetricsAddress: CustomStringConvertible {
    var description: String { HostAndPort.text(host, port) }
}
