/// The address of a broker as programs print it, `mqtt://host:port`, to be compared with another one.
package struct BrokerPlace: Sendable {
    private let address: String

    package init(_ address: String) { self.address = address.lowercased() }

    /// Whether both are the same broker for certain: the same scheme, port and host, where `localhost`
    /// stands for both loopback addresses.
    package func isSame(as other: BrokerPlace) -> Bool {
        !spellings.isDisjoint(with: other.spellings)
    }

    private var spellings: Set<String> {
        guard let host = address.firstRange(of: "://localhost:") else { return [address] }
        let (scheme, port) = (address[..<host.lowerBound], address[host.upperBound...])
        return [address, "\(scheme)://127.0.0.1:\(port)", "\(scheme)://[::1]:\(port)"]
    }
}
