import Connectivity
import DeviceDomain
import DeviceMessages
import HomeportTesting
import MQTTClient
import MQTTLink
import TestSupport
import Testing
import ZigbeeAdapter

/// The dialect of zigbee2mqtt over a real broker keeps the contract of a channel.
@Suite(.timeLimit(.minutes(2))) struct ConformanceTests {
    @Test func itKeepsTheContract() async throws {
        try await withBroker { broker in
            try await ScriptedBridge.with(broker.url) { bridge in
                let peer = try BridgePeer(broker, bridge)
                let violations = await ChannelConformance(of: peer).violations()
                #expect(violations.isEmpty, "\(violations)")
                await peer.end()
            }
        }
    }
}

/// A broker with a bridge of one lamp.
private struct BridgePeer: ChannelPeer {
    let home = ZigbeeAdapterTests.home
    let controller: ControllerID
    let device = lamp
    let command = CommandName(rawValue: "turn-on")
    let arguments: JSONObject = [:]
    private let broker: MosquittoBroker
    private let bridge: ScriptedBridge
    private let loop: MQTTEventLoop

    init(_ broker: MosquittoBroker, _ bridge: ScriptedBridge) throws {
        self.broker = broker
        self.bridge = bridge
        controller = try ControllerID("ctl")
        loop = try MQTTEventLoop(label: "channels")
    }

    func end() async { await loop.shutdown() }

    func makeChannel() async throws -> any CommunicationChannel {
        let id = try ChannelID("attic")
        return ZigbeeChannel(
            try ZigbeeChannelConfiguration(
                id: id, home: home,
                link: MQTTLinkConfiguration(
                    broker: try MQTTBrokerAddress(url: broker.url), clientIDPrefix: id.text,
                    reconnect: MQTTReconnectPolicy(
                        initial: .milliseconds(5), cap: .milliseconds(50))),
                baseTopic: "zigbee2mqtt",
                readBack: ReadBackTiming(
                    delay: .milliseconds(30), interval: .milliseconds(30),
                    settled: .milliseconds(300), longest: .seconds(2))),
            on: loop)
    }

    func receivedCommands() async throws -> Int {
        await bridge.requests.filter { $0.topic.hasSuffix("/set") }.count
    }

    func loseLink() async throws { await broker.stop() }

    func restoreLink() async throws {
        try await broker.start()
        try await bridge.beginAgain()
    }

    func sendGarbage() async throws {
        for topic in ["bridge/devices", SampleDevice.lamp.name, "ghost", "bridge/nothing"] {
            try await bridge.publish(topic, "{\"state\":")
        }
    }
}
