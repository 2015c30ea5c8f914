/// How a connection is protected.
public enum MQTTSecurity: Sendable, Hashable {
    /// No encryption, and therefore only to this machine's loopback addresses. Connecting elsewhere fails for
    /// good with `insecureConnection`.
    case plaintext
    /// No encryption, to any address: anybody on the network path can read and change everything, including
    /// passwords.
    case plaintextAnywhere
    /// TLS 1.2 or later, with the broker's certificate and name checked.
    indirect case tls(MQTTTLSConfiguration)

    /// The TLS configuration, if there is one.
    var tls: MQTTTLSConfiguration? {
        switch self {
        case .tls(let configuration): configuration
        case .plaintext, .plaintextAnywhere: nil
        }
    }

    /// Which of a broker's numeric addresses may be connected to.
    func permitted(
        _ addresses: [String], of broker: MQTTBrokerAddress
    ) throws(MQTTError) -> [String] {
        guard tls == nil else { return addresses }
        guard !broker.usesTLS else {
            throw .invalid("\(broker) asks for TLS, but the configuration for plaintext")
        }
        guard self == .plaintext else { return addresses }
        if addresses.allSatisfy(HostResolver.isLoopback) { return addresses }
        let local = addresses.filter(HostResolver.isLoopback)
        guard local.isEmpty else { return local }
        throw MQTTError(
            .insecureConnection,
            "\(broker) is not on this machine, and the connection would not be encrypted: "
                + "use TLS, or ask for plaintextAnywhere")
    }
}
