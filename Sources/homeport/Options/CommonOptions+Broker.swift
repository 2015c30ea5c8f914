import LocalBroker
import MQTTClient

extension CommonOptions {
    /// The broker by option, environment, meeting point or default.
    func choice() throws(Failure) -> BrokerChoice {
        try BrokerChoice(
            option: broker, environment: Environment.value(of: "HOMEPORT_BROKER"),
            meetingPoint: { try MeetingPoint().live() })
    }

    /// The credentials, if a file of them is named.
    func credentials() throws(Failure) -> MQTTCredentials? {
        guard let credentialsFile else { return nil }
        do {
            return try MQTTCredentials(contentsOfFile: credentialsFile)
        } catch {
            throw .usage(error.message)
        }
    }

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
