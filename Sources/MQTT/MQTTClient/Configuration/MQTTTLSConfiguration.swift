/// The trusted authorities and the client certificate of a connection.
///
/// Equal values share one OpenSSL context on an event loop. It reads the files when the first connection needs
/// it, and keeps their contents. A connection that begins after a file has changed reads them again; where they
/// are unusable then, the earlier contents stay in use. Certificates and keys are PEM files.
public struct MQTTTLSConfiguration: Sendable, Hashable {
    /// The certificates of the only trusted authorities; nil is OpenSSL's default store, which SSL_CERT_FILE
    /// and SSL_CERT_DIR can change.
    public var authorityFile: String?
    /// This client's certificate, followed by any intermediate certificates.
    public var certificateFile: String?
    /// The key of ``certificateFile``, unencrypted and not accessible to other users; nil if it is in
    /// ``certificateFile`` too. Where the two do not fit, because they are being replaced, a certificate in
    /// this file counts that is for the same name and fits.
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

    /// Reads the files and throws `tlsConfiguration` if they are unusable, as a connection would. Blocks on the
    /// file system; do not call it on the thread of an event loop.
    public func validate(for broker: MQTTBrokerAddress) throws(MQTTError) {
        _ = try TLSContext(identity(for: broker.host))
    }

    /// The identity of a context.
    func identity(for host: String) -> TLSIdentity {
        TLSIdentity(configuration: self, serverName: serverName ?? host)
    }
}

/// A configuration and the expected server name, which determine an OpenSSL context.
struct TLSIdentity: Hashable, Sendable {
    var configuration: MQTTTLSConfiguration
    var serverName: String
}
