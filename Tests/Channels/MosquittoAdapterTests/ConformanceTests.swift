import Connectivity
import DeviceDomain
import DeviceMessages
import HomeportTesting
import MQTTClient
import MosquittoAdapter
import TestSupport
import Testing

/// The Homeport protocol over a real broker keeps the contract of a channel.
@Suite(.timeLimit(.minutes(2))) struct ConformanceTests {
    @Test(arguments: [MQTTProtocolVersion.v5, .v3_1_1])
    func itKeepsTheContract(version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "device") { client in
                let peer = try BrokerPeer(broker, client, version)
                try await peer.begin()
                // Ended with the scope.
                async let _ = peer.serve()
                let violations = await ChannelConformance(of: peer).violations()
                #expect(violations.isEmpty, "\(violations)")
                await peer.end()
            }
        }
    }
}

/// A broker with a device that carries out `locate`.
private actor BrokerPeer: ChannelPeer {
    nonisolated let home = MosquittoAdapterTests.home
    nonisolated let controller: ControllerID
    nonisolated let device = MosquittoAdapterTests.device("a")
    nonisolated let command = CommandName.locate
    nonisolated let arguments: JSONObject = [:]
    private let broker: MosquittoBroker
    private let client: MQTTPeer
    private let version: MQTTProtocolVersion
    private let loop: MQTTEventLoop
    private var received = 0

    init(_ broker: MosquittoBroker, _ client: MQTTPeer, _ version: MQTTProtocolVersion) throws {
        self.broker = broker
        self.client = client
        self.version = version
        controller = try ControllerID("ctl")
        loop = try MQTTEventLoop(label: "channels")
    }

    func begin() async throws {
        try await client.subscribe("homeport/v1/home-1/a/command/#")
        try await client.announce("a")
    }

    func end() async { await loop.shutdown() }

    /// Does what the device is told.
    func serve() async {
        for await message in client.messages {
            guard let command = try? CommandMessage(payload: message.payload) else { continue }
            received += 1
            let isKnown = command.name == self.command
            let answer = ack(command.id, stage: isKnown ? .succeeded : .rejected)
            // The broker may have gone away meanwhile.
            _ = try? await client.publish("homeport/v1/home-1/a/ack/ctl", answer.payload)
        }
    }

    func makeChannel() async throws -> any CommunicationChannel {
        var configuration = MosquittoChannelConfiguration(
            id: channelID, broker: try MQTTBrokerAddress(url: broker.url), controller: controller,
            reconnect: MQTTReconnectPolicy(initial: .milliseconds(5), cap: .milliseconds(50)))
        configuration.version = version
        return MosquittoChannel(configuration, on: loop)
    }

    func receivedCommands() async throws -> Int { received }

    func loseLink() async throws { await broker.stop() }

    func restoreLink() async throws {
        try await broker.start()
        try await client.reconnected()
        try await begin()
    }

    func sendGarbage() async throws {
        for name in ["a", "ghost"] {
            try await client.publish("homeport/v1/home-1/\(name)/state", "{\"v\":1,", retain: false)
            try await client.publish("homeport/v1/home-1/\(name)/nothing", "\u{0}", retain: false)
        }
    }
}
