public import Connectivity
public import DeviceDomain
public import Logging
public import MQTTClient
internal import MQTTLink
internal import MosquittoAdapter
internal import ZigbeeAdapter

/// A channel that a home is to have, and how it is made.
public struct ChannelSetup: Sendable {
    /// Names the channel.
    public let id: ChannelID
    /// What kind of channel it is.
    public let kind: ChannelKind
    private let givenAddress: String
    /// How its broker is reached; `nil` for a channel without one.
    let connection: BrokerConnection?
    let make: Make
    /// Finds out what is wrong with the way to the other end, or beside its broker; `nil` where only that is tried.
    let diagnose: Diagnose?
    /// Whether one channel serves any number of homes; others are those of one home.
    private(set) var isForManyHomes = false

    /// Makes a channel; it must not block or connect. It throws ``HomeError`` `configuration` if
    /// the setup is wrong.
    public typealias Make =
        @Sendable (ChannelContext) throws(HomeError) -> any CommunicationChannel

    /// Tries the way to the other end and its set-up, and sends no command: a finding for every check, also
    /// where nothing is wrong.
    public typealias Diagnose = @Sendable (ChannelContext) async -> [Finding]

    /// A channel of any kind.
    public init(
        id: ChannelID, kind: ChannelKind, address: String, diagnose: Diagnose? = nil,
        make: @escaping Make
    ) {
        self.id = id
        self.kind = kind
        givenAddress = address
        connection = nil
        self.diagnose = diagnose
        self.make = make
    }

    /// A channel behind a broker.
    /// - Parameter diagnose: finds out what is wrong beside the broker.
    init(
        id: ChannelID, kind: ChannelKind, _ connection: BrokerConnection,
        diagnose: Diagnose? = nil, make: @escaping Make
    ) {
        self.id = id
        self.kind = kind
        givenAddress = connection.brokers.clusterText
        self.connection = connection
        self.diagnose = diagnose
        self.make = make
    }

    /// Where its other end is now, as messages name it.
    public var address: String {
        connection?.address ?? givenAddress
    }

    /// A channel that is there already, such as a scripted one in tests.
    public init(_ channel: any CommunicationChannel) {
        self.init(id: channel.id, kind: channel.kind, address: channel.id.text) { _ in channel }
        isForManyHomes = true
    }

    /// An MQTT broker whose devices speak the Homeport protocol.
    public static func homeportMQTT(
        id: ChannelID = .mqtt, _ connection: BrokerConnection
    ) -> ChannelSetup {
        var setup = ChannelSetup(id: id, kind: .homeportMQTT, connection) { context in
            var configuration = MosquittoChannelConfiguration(
                id: id, broker: connection.broker, security: connection.security,
                controller: context.controller, version: connection.version,
                credentials: connection.credentials, connectTimeout: connection.connectTimeout)
            configuration.otherBrokers = connection.otherBrokers
            configuration.locator = connection.locator
            return MosquittoChannel(
                configuration, on: context.eventLoop, logger: context.logger)
        }
        setup.isForManyHomes = true
        return setup
    }

    /// A zigbee2mqtt bridge on an MQTT broker.
    ///
    /// A base topic that is not valid is an error of ``Home/init(_:)``.
    /// - Parameters:
    ///   - id: names the channel, and the bridge as a device.
    ///   - connection: how its broker is reached.
    ///   - baseTopic: zigbee2mqtt's setting `mqtt.base_topic`.
    public static func zigbee2MQTT(
        id: ChannelID, _ connection: BrokerConnection, baseTopic: String = "zigbee2mqtt"
    ) -> ChannelSetup {
        @Sendable func channel(_ context: ChannelContext) throws(HomeError) -> ZigbeeChannel {
            do throws(MQTTError) {
                let configuration = try ZigbeeChannelConfiguration(
                    id: id, home: context.home, link: connection.link(as: context.controller),
                    baseTopic: baseTopic)
                return ZigbeeChannel(
                    configuration, on: context.eventLoop, logger: context.logger)
            } catch {
                throw HomeError(.configuration, "the channel \(id): \(error.message)")
            }
        }
        return ChannelSetup(
            id: id, kind: .zigbee2MQTT, connection,
            diagnose: { context in
                do throws(HomeError) {
                    return await ZigbeeCheck(address: "\(connection.latestBroker)").findings(
                        over: try channel(context))
                } catch {
                    return [
                        .problem(
                            .zigbeeBridge, error.message,
                            remedy: "correct base-topic of the channel")
                    ]
                }
            },
            make: { context throws(HomeError) in try channel(context) })
    }
}

extension ChannelID {
    /// The channel of a home that names none.
    public static let mqtt = ChannelID.literal("mqtt")
}

/// What a channel is made with.
public struct ChannelContext: Sendable {
    /// The home that it serves.
    public let home: HomeID
    /// Who sends its commands.
    public let controller: ControllerID
    /// The thread of its connections.
    public let eventLoop: MQTTEventLoop
    /// Its log.
    public let logger: Logger
}

/// How a broker is reached, for a channel of any dialect.
public struct BrokerConnection: Sendable {
    /// The broker.
    public var broker: MQTTBrokerAddress
    /// Other addresses of the same cluster: a connection begins at a random one, and tries them in turn.
    public var otherBrokers: [MQTTBrokerAddress] = []
    /// How the connection is protected; `nil` is TLS for `mqtts://`, else plaintext, which reaches
    /// this machine only.
    public var security: MQTTSecurity?
    /// The version of MQTT.
    public var version: MQTTProtocolVersion
    /// User name and password, if the broker wants them.
    public var credentials: MQTTCredentials?
    /// For the TCP connection and the broker's answer together.
    public var connectTimeout: Duration
    /// Says before each attempt where the broker is, in place of ``broker`` and ``credentials``.
    package var locator: (any MQTTBrokerLocator)?

    public init(
        _ broker: MQTTBrokerAddress, security: MQTTSecurity? = nil,
        version: MQTTProtocolVersion = .v5, credentials: MQTTCredentials? = nil,
        connectTimeout: Duration = .seconds(10)
    ) {
        self.broker = broker
        self.security = security
        self.version = version
        self.credentials = credentials
        self.connectTimeout = connectTimeout
    }

    /// The broker as it was found last.
    package var latestBroker: MQTTBrokerAddress { locator?.latest ?? broker }

    /// Every address of the cluster.
    package var brokers: [MQTTBrokerAddress] { [broker] + otherBrokers }

    /// Where it leads now, as messages name it: several addresses with commas between them.
    package var address: String { locator.map { "\($0.latest)" } ?? brokers.clusterText }

    /// The same for a link on behalf of a controller.
    func link(as controller: ControllerID) -> MQTTLinkConfiguration {
        var link = MQTTLinkConfiguration(
            broker: broker, security: security, version: version, credentials: credentials,
            clientIDPrefix: controller.text, connectTimeout: connectTimeout)
        link.otherBrokers = otherBrokers
        link.locator = locator
        return link
    }

    /// The same for a link to each node of the cluster alone.
    func nodes(as controller: ControllerID) -> [MQTTLinkConfiguration] {
        brokers.map { broker in
            var connection = self
            connection.broker = broker
            connection.otherBrokers = []
            return connection.link(as: controller)
        }
    }
}
