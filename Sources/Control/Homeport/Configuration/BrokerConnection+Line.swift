internal import MQTTClient
internal import YAMLText

extension BrokerConnection {
    /// The members of a line that say how a broker is reached.
    static let members = [
        "broker", "mqtt-version", "ca-file", "cert-file", "key-file", "tls-server-name",
        "credentials",
    ]

    /// What a line says.
    init(_ line: ChannelLine) throws(YAMLProblem) {
        let (node, members) = (line.node, line.members)
        let broker = try node.required("broker", of: members)
        let addresses = try broker.brokerAddresses()
        self.init(addresses[0])
        otherBrokers = Array(addresses.dropFirst())
        security = try Self.security(members, of: node, for: self.broker)
        version = try members["mqtt-version"]?.version() ?? .v5
        connectTimeout = try line.connectTimeout()
        credentials = try members["credentials"]?.credentials()
    }

    /// `mqtt://` asks for plaintext, wherever the broker is.
    private static func security(
        _ members: [String: YAMLNode], of node: YAMLNode, for broker: MQTTBrokerAddress
    ) throws(YAMLProblem) -> MQTTSecurity {
        let options = ["ca-file", "cert-file", "key-file", "tls-server-name"]
        guard broker.usesTLS else {
            if let name = options.first(where: { members[$0] != nil }), let node = members[name] {
                throw node.error("\(name) needs TLS, but the broker is \(broker): use mqtts://")
            }
            return .plaintextAnywhere
        }
        let configuration = MQTTTLSConfiguration(
            authorityFile: try members["ca-file"]?.file(),
            certificateFile: try members["cert-file"]?.file(),
            keyFile: try members["key-file"]?.file(),
            serverName: try members["tls-server-name"]?.text())
        do {
            try configuration.validate(for: broker)
        } catch {
            throw (options.lazy.compactMap { members[$0] }.first ?? node).error(error.message)
        }
        return .tls(configuration)
    }
}

extension YAMLNode {
    /// The URL of a broker, or those of one cluster: as a list, or in one text with commas between them.
    func brokerAddresses() throws(YAMLProblem) -> [MQTTBrokerAddress] {
        guard isList else {
            return try value(describing: \.message) { text throws(MQTTError) in
                try MQTTBrokerAddress.cluster(urls: text)
            }
        }
        let urls = try items().map { item throws(YAMLProblem) in "\(try item.brokerAddress())" }
        do throws(MQTTError) {
            return try MQTTBrokerAddress.cluster(urls: urls.joined(separator: ","))
        } catch {
            throw self.error(error.message)
        }
    }

    /// The URL of a broker.
    func brokerAddress() throws(YAMLProblem) -> MQTTBrokerAddress {
        try value(describing: \.message) { text throws(MQTTError) in
            try MQTTBrokerAddress(url: text)
        }
    }

    fileprivate func version() throws(YAMLProblem) -> MQTTProtocolVersion {
        switch try text() {
        case "5": return .v5
        case "3.1.1": return .v3_1_1
        default: throw error("write 5 or 3.1.1")
        }
    }

    /// A duration above zero.
    func duration() throws(YAMLProblem) -> Duration {
        guard let duration = Duration(text: try text()), duration > .zero else {
            throw error("write a duration above zero as 500ms, 30s, 10m or 24h")
        }
        return duration
    }

    /// User name and password from the file or the secret that is named.
    func credentials() throws(YAMLProblem) -> MQTTCredentials {
        let named = try text()
        let path = named.hasPrefix("keychain:") ? named : try file()
        return try value { _ throws(CredentialsFailure) in
            try CredentialsReference(path).read()
        }
    }
}
