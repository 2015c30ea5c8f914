import ArgumentParser
import MQTTClient

/// Whom to trust with `mqtts://`, and as whom to appear.
struct TLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The certificate authorities that may have issued the broker's certificate.",
            discussion: "Default: the system's; SSL_CERT_FILE and SSL_CERT_DIR name others.",
            valueName: "file"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "The certificate to present to the broker, with its chain.", valueName: "file"),
        completion: .file())
    var certFile: String?

    @Option(
        help: ArgumentHelp(
            "The key of --cert-file, closed to other users.",
            discussion: "Default: it stands in --cert-file.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    @Option(
        help: ArgumentHelp(
            "The name that the broker's certificate must be for.",
            discussion: "Default: the host of the broker's URL.", valueName: "name"))
    var tlsServerName: String?
}

extension TLSOptions {
    /// How the connection to a broker is protected. `mqtt://` asks for plaintext, wherever the broker
    /// is.
    /// - Throws: ``Failure`` with ``VerbStatus/usage`` for files that cannot be used, and for options of
    ///   TLS without TLS.
    func security(for broker: MQTTBrokerAddress) throws(Failure) -> MQTTSecurity {
        guard broker.usesTLS else {
            if let option = given {
                throw .usage("\(option) needs TLS, but the broker is \(broker): use mqtts://")
            }
            return .plaintextAnywhere
        }
        let configuration = MQTTTLSConfiguration(
            authorityFile: caFile, certificateFile: certFile, keyFile: keyFile,
            serverName: tlsServerName)
        do {
            try configuration.validate(for: broker)
        } catch {
            throw .usage(error.message)
        }
        return .tls(configuration)
    }

    /// The first of the options that is given.
    private var given: String? {
        if caFile != nil { return "--ca-file" }
        if certFile != nil { return "--cert-file" }
        if keyFile != nil { return "--key-file" }
        return tlsServerName == nil ? nil : "--tls-server-name"
    }
}
