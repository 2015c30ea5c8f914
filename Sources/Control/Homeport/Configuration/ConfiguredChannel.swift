public import Connectivity
public import DeviceDomain
internal import MQTTClient
internal import MosquittoAdapter
internal import YAMLText
internal import ZigbeeAdapter

/// A channel of a configuration file.
public struct ConfiguredChannel: Sendable {
    /// Names the channel.
    public var id: ChannelID
    /// What kind it is.
    public var kind: ChannelKind
    /// How its broker is reached.
    public var connection: BrokerConnection
    /// The first level of zigbee2mqtt's topics.
    public var baseTopic: String

    /// The kinds that a file can name.
    static let kinds: [ChannelKind] = [.homeportMQTT, .zigbee2MQTT]

    init(_ node: YAMLNode) throws(YAMLProblem) {
        // A channel of an unknown kind has members of its own, which tell nothing.
        if let kind = node.member("kind") { _ = try Self.kind(kind) }
        let members = try node.members([
            "id", "kind", "broker", "base-topic", "mqtt-version", "connect-timeout", "ca-file",
            "cert-file", "key-file", "tls-server-name", "credentials",
        ])
        id = try node.required("id", of: members).identifier()
        kind = try Self.kind(try node.required("kind", of: members))
        connection = try BrokerConnection(members, of: node)
        baseTopic = try members["base-topic"]?.text() ?? "zigbee2mqtt"
        if let given = members["base-topic"] {
            guard kind == .zigbee2MQTT else {
                throw given.error(
                    "base-topic is for channels of kind \(ChannelKind.zigbee2MQTT.rawValue)")
            }
            try given.value { text throws(MQTTError) in
                try ZigbeeChannelConfiguration.validate(baseTopic: text)
            }
        }
    }

    private static func kind(_ node: YAMLNode) throws(YAMLProblem) -> ChannelKind {
        let name = try node.choice("kinds of channel", of: kinds.map(\.rawValue))
        return ChannelKind(rawValue: name)
    }

    /// Whether its devices speak the Homeport protocol.
    package var isHomeportMQTT: Bool { kind == .homeportMQTT }

    /// The channel as a home has it.
    public var setup: ChannelSetup {
        kind == .zigbee2MQTT
            ? .zigbee2MQTT(id: id, connection, baseTopic: baseTopic)
            : .homeportMQTT(id: id, connection)
    }
}

extension BrokerConnection {
    fileprivate init(_ members: [String: YAMLNode], of node: YAMLNode) throws(YAMLProblem) {
        let broker = try node.required("broker", of: members)
        self.init(try broker.brokerAddress())
        security = try Self.security(members, of: node, for: self.broker)
        version = try members["mqtt-version"]?.version() ?? .v5
        connectTimeout = try members["connect-timeout"]?.duration() ?? .seconds(10)
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

    fileprivate func duration() throws(YAMLProblem) -> Duration {
        guard let duration = Duration(text: try text()), duration > .zero else {
            throw error("write a duration above zero as 500ms, 30s, 10m or 24h")
        }
        return duration
    }

    fileprivate func credentials() throws(YAMLProblem) -> MQTTCredentials {
        let named = try text()
        let path = named.hasPrefix("keychain:") ? named : try file()
        return try value { _ throws(CredentialsFailure) in
            try CredentialsReference(path).read()
        }
    }
}
