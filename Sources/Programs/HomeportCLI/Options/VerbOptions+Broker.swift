import Basics
import Homeport
import LocalServices

extension VerbOptions {
    /// The broker's URL by option or environment.
    var namedBroker: String? { namedBroker(at: .own) }

    /// The broker's URL by option or environment of a call.
    func namedBroker(at place: CallPlace) -> String? {
        broker.broker ?? place.value(of: "HOMEPORT_BROKER")
    }

    /// The channels of the configuration file, the first MQTT one with the broker that an option or
    /// variable names; without a file one channel.
    /// - Returns: the channels, and the source of the broker's address where no file names it.
    func channels(
        _ file: ConfigurationFile?
    ) throws(CommandLineError) -> (channels: [ChannelSetup], source: BrokerChoice.Source?) {
        guard var configured = file?.channels, !configured.isEmpty else {
            let choice = try choice()
            return ([.homeportMQTT(try connection(to: choice))], choice.source)
        }
        if namedBroker != nil {
            let choice = try choice()
            guard let place = configured.firstIndex(where: { $0.isHomeportMQTT }) else {
                throw .usage(
                    "--broker names the broker of a channel of kind homeport-mqtt, and the "
                        + "configuration file has none")
            }
            configured[place].connection = try connection(to: choice)
        } else if let option = given ?? (broker.credentialsFile == nil ? nil : "--credentials-file")
        {
            throw .usage("\(option) goes with --broker; the configuration file has its own")
        }
        return (
            try configured.map { channel throws(CommandLineError) in try completed(channel).setup },
            nil
        )
    }

    /// A channel of the configuration file, with the time of `--connect-timeout`, and with the credentials of a
    /// private broker where the file names none.
    private func completed(_ channel: ConfiguredChannel) throws(CommandLineError)
        -> ConfiguredChannel
    {
        var channel = channel
        if let limit = broker.connectTimeout { channel.connectTimeout = limit }
        guard let connection = channel.connection, connection.credentials == nil,
            connection.locator == nil, connection.otherBrokers.isEmpty
        else { return channel }
        channel.connection?.locator = try locator(.named(connection.broker), nil)
        return channel
    }

    /// The broker by option, environment, meeting point or default.
    func choice() throws(CommandLineError) -> BrokerChoice {
        try BrokerChoice(
            option: broker.broker, environment: Environment.value(of: "HOMEPORT_BROKER"),
            meetingPoint: { try MeetingPoint().live() },
            announced: { MeetingPoint().broker(at: $0) })
    }

    private func connection(to choice: BrokerChoice) throws(CommandLineError) -> BrokerConnection {
        let security = try security(for: choice.address)
        return try connection(to: choice, try namedCredentials(), security)
    }

    /// The connection to a broker. Where it is one of the meeting point, or may become one, the meeting point
    /// is looked at before each attempt.
    func connection(
        to choice: BrokerChoice, _ credentials: MQTTCredentials?, _ security: MQTTSecurity
    ) throws(CommandLineError) -> BrokerConnection {
        var connection = BrokerConnection(
            choice.address, security: security, version: broker.mqttVersion ?? .v5,
            credentials: credentials, connectTimeout: broker.connectTimeout ?? .seconds(10))
        connection.otherBrokers = Array(choice.addresses.dropFirst())
        // A private broker has one address.
        guard choice.addresses.count == 1 else { return connection }
        if case .privateBroker = choice.source, let fleet = choice.fleet {
            connection.locator = try locator(.announced(fleet), credentials)
        } else if choice.source == .fallback, credentials == nil {
            connection.locator = try locator(.usual(choice.address), nil)
        } else if credentials == nil || choice.fleet != nil {
            connection.locator = try locator(.named(choice.address), credentials)
        }
        return connection
    }

    private func locator(
        _ aim: PrivateBrokerLocator.Aim, _ credentials: MQTTCredentials?
    ) throws(CommandLineError) -> PrivateBrokerLocator {
        do {
            return try PrivateBrokerLocator(aim, credentials: credentials, at: MeetingPoint())
        } catch {
            throw .usage(error.message)
        }
    }

    /// The credentials that an option names.
    func namedCredentials() throws(CommandLineError) -> MQTTCredentials? {
        guard let named = broker.credentialsFile else { return nil }
        do {
            return try CredentialsReference(named).read()
        } catch {
            switch error {
            case .contents(let error): throw .usage(error.message)
            case .keychain(let error): throw CommandLineError(error)
            }
        }
    }

    /// How the connection to a broker is protected. `mqtt://` asks for plaintext, wherever the broker
    /// is.
    /// - Throws: ``CommandLineError`` with ``VerbStatus/usage`` for files that cannot be used, and for options of
    ///   TLS without TLS.
    func security(for address: MQTTBrokerAddress) throws(CommandLineError) -> MQTTSecurity {
        guard address.usesTLS else {
            if let option = given {
                throw .usage("\(option) needs TLS, but the broker is \(address): use mqtts://")
            }
            return .plaintextAnywhere
        }
        let configuration = MQTTTLSConfiguration(
            authorityFile: broker.caFile, certificateFile: broker.certFile, keyFile: broker.keyFile,
            serverName: broker.tlsServerName)
        do {
            try configuration.validate(for: address)
        } catch {
            throw .usage(error.message)
        }
        return .tls(configuration)
    }

    /// The first of the options of TLS that is given.
    private var given: String? {
        if broker.caFile != nil { return "--ca-file" }
        if broker.certFile != nil { return "--cert-file" }
        if broker.keyFile != nil { return "--key-file" }
        return broker.tlsServerName == nil ? nil : "--tls-server-name"
    }
}

extension ConfigurationFile {
    /// `$XDG_CONFIG_HOME/homeport/homeport.yaml`, else the same below `~/.config`, where it exists.
    static func usual(for place: CallPlace) -> String? {
        guard let folder = ProcessEnvironment.configurationFolder(place.value(of:)) else {
            return nil
        }
        let path = "\(folder)/homeport/homeport.yaml"
        return Environment.hasFile(path) ? path : nil
    }
}
