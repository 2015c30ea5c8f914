import Homeport
import HomeportTesting
import Logging

/// The code of the page Channels.
enum ChannelsSamples {
    static func configuration(broker: String) throws -> HomeConfiguration {
        // sample: two channels
        let attic = BrokerConnection(try MQTTBrokerAddress(url: "mqtt://127.0.0.1:1884"))
        let configuration = HomeConfiguration(
            home: try HomeID("villa"),
            channels: [
                .homeportMQTT(BrokerConnection(try MQTTBrokerAddress(url: broker))),
                .zigbee2MQTT(id: try ChannelID("attic"), attic),
            ],
            rules: [ChannelRule(.kind(DeviceKind("light")), use: try ChannelID("attic"))])
        // end sample
        return configuration
    }

    static func oneDevice(_ configuration: HomeConfiguration) throws -> HomeConfiguration {
        // sample: one device on two channels
        var configuration = configuration
        configuration.aliases = [try DeviceID("attic-5"): try DeviceID("sweeper-1")]
        configuration.rules = [
            ChannelRule(
                .kind(.sweepingRobot), prefer: [try ChannelID("mqtt"), try ChannelID("attic")])
        ]
        // end sample
        return configuration
    }

    static func conformance(_ peer: any ChannelPeer) async -> [ConformanceViolation] {
        // sample: contract
        let violations = await ChannelConformance(of: peer).violations()
        for violation in violations { print("broken: \(violation)") }
        // end sample
        return violations
    }

    static func whatIsWrong(_ configuration: HomeConfiguration) async {
        // sample: what is wrong
        for finding in await diagnose(configuration) where finding.status != .ok {
            print("\(finding.status): \(finding.message); \(finding.remedy)")
        }
        // end sample
    }

    static func file() throws -> ConfigurationFile {
        // sample: file
        let file = try ConfigurationFile(
            """
            home: villa
            channels:
              - {id: mqtt, kind: homeport-mqtt, broker: "mqtt://127.0.0.1:1883"}
              - {id: attic, kind: zigbee2mqtt, broker: "mqtt://127.0.0.1:1884", base-topic: zigbee2mqtt}
            rules:
              - {kind: light, channel: attic}
            """, path: "homeport.yaml")
        // end sample
        return file
    }
    static func setup(over other: any CommunicationChannel) -> ChannelSetup {
        // sample: setup
        let setup = ChannelSetup(
            id: other.id, kind: other.kind, address: "over \(other.id)"
        ) { context in
            LoggedChannel(other, logger: context.logger)
        }
        // end sample
        return setup
    }
}

// sample: a channel of your own
/// Passes everything on to another channel and logs when that is opened and closed.
final class LoggedChannel: CommunicationChannel {
    private let channel: any CommunicationChannel
    private let logger: Logger

    var id: ChannelID { channel.id }
    var kind: ChannelKind { channel.kind }
    var traits: ChannelTraits { channel.traits }
    var reportsTelemetry: Bool { channel.reportsTelemetry }

    init(_ channel: any CommunicationChannel, logger: Logger) {
        self.channel = channel
        self.logger = logger
    }

    func open() async throws(CommunicationError) {
        logger.info("opening", metadata: ["channel": "\(id)"])
        try await channel.open()
    }

    func close() async {
        await channel.close()
        logger.info("closed", metadata: ["channel": "\(id)"])
    }

    func service(for device: DeviceID, in home: HomeID) -> any CommunicationService {
        channel.service(for: device, in: home)
    }

    func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        channel.observe(home, scope, sink)
    }

    func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        try await channel.replay(home, scope, known: known)
    }

    func linkStates() -> LinkStates { channel.linkStates() }
}
// end sample
