extension MQTTBrokerAddress {
    /// Parses the addresses of one cluster: URLs with commas between them, as ``init(url:)`` takes each.
    /// - Throws: ``MQTTError`` `invalidArgument` also for one that is named twice, and where some use TLS and some do
    ///   not.
    public static func cluster(urls: String) throws(MQTTError) -> [MQTTBrokerAddress] {
        var addresses: [MQTTBrokerAddress] = []
        for url in urls.split(separator: ",", omittingEmptySubsequences: false) {
            let url = url.drop { $0 == " " }
            guard !url.isEmpty || !urls.contains(",") else {
                throw .invalid(
                    "the list of brokers \"\(urls)\" names nothing between two commas, or at an end"
                )
            }
            let address = try MQTTBrokerAddress(url: String(url))
            guard !addresses.contains(address) else {
                throw .invalid(
                    "the broker \(address) is named twice; name each address of a cluster once")
            }
            guard address.usesTLS == addresses.first?.usesTLS ?? address.usesTLS else {
                throw .invalid(
                    "some brokers of \"\(urls)\" use TLS and some do not; write mqtts:// or mqtt:// for all"
                )
            }
            addresses.append(address)
        }
        return addresses
    }
}

extension [MQTTBrokerAddress] {
    /// The addresses of a cluster as they are typed: with commas between them.
    package var clusterText: String { map(\.description).joined(separator: ",") }

    /// The same, beginning at a random one, so that clients spread over the nodes of a cluster.
    package func fromRandomOne(
        using generator: inout some RandomNumberGenerator
    ) -> [MQTTBrokerAddress] {
        guard count > 1, let start = indices.randomElement(using: &generator) else { return self }
        return Array(self[start...] + self[..<start])
    }
}
