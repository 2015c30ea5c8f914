/// Whom a connection trusts, and as whom it presents itself.
///
/// A value: equal ones share one OpenSSL context on an event loop, which reads the files once, when the
/// first connection needs it, and keeps what it read. Certificates and keys are PEM files.
public struct MQTTTLSConfiguration: Sendable, Hashable {
    /// The certificates of the authorities that may have issued the broker's, and nobody else; nil is
    /// OpenSSL's own store, which SSL_CERT_FILE and SSL_CERT_DIR can name.
    public var authorityFile: String?
    /// This client's certificate, followed by those between it and its authority.
    public var certificateFile: String?
    /// The key of ``certificateFile``, not encrypted and closed to other users; nil if it stands in
    /// ``certificateFile`` too.
    public var keyFile: String?
    /// The name or address that the broker's certificate must be for; nil is the host connected to.
    public var serverName: String?
    /// The application protocols to offer by ALPN, each of 1 to 255 bytes; most brokers need none.
    public var applicationProtocols: [String]

    public init(
        authorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil,
        serverName: String? = nil, applicationProtocols: [String] = []
    ) {
        self.authorityFile = authorityFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.serverName = serverName
        self.applicationProtocols = applicationProtocols
    }

    /// Reads the files and throws `tlsConfiguration` where something is wrong with them, as a
    /// connection would. Blocks on the file system; not for the thread of an event loop.
    public func validate(for broker: MQTTBrokerAddress) throws(MQTTError) {
        _ = try TLSContext(identity(for: broker.host))
    }

    /// What one context is for.
    func identity(for host: String) -> TLSIdentity {
        TLSIdentity(configuration: self, serverName: serverName ?? host)
    }
}

/// A configuration and the name that the broker must prove: what one OpenSSL context is made from.
struct TLSIdentity: Hashable, Sendable {
    var configuration: MQTTTLSConfiguration
    var serverName: String
}
