import Alink
import Basics
import Connectivity
import DeviceDomain
import DeviceMessages
import HomeportTesting
import MQTTClient
import MQTTLink
import TestSupport
import Testing

@testable import AlinkAdapter

/// The dialect of Alink over a real broker keeps the contract of a channel.
@Suite(.timeLimit(.minutes(2))) struct ConformanceTests {
    @Test func itKeepsTheContract() async throws {
        try await withBroker { broker in
            try await ScriptedLamp.with(broker.url) { lamp in
                let peer = try LampPeer(broker, lamp)
                let violations = await ChannelConformance(of: peer).violations()
                #expect(violations.isEmpty, "\(violations)")
                await peer.end()
            }
        }
    }

    @Test func aPostThatABrokerHasKeptSaysNothingOfNow() async throws {
        try await withBroker { broker in
            try await ScriptedLamp.with(broker.url) { lamp in
                let ghost = Sample.name("ghost")
                try await lamp.publish(
                    AlinkTopic(ghost, .properties).text, #"{"id":"1","params":{"Power":1}}"#,
                    retain: true)
                let peer = try LampPeer(broker, lamp)
                let channel = try await peer.makeChannel()
                try await channel.open()
                let heard = Guarded<Set<DeviceID>>([])
                let observation = channel.observe(home, .everyDevice) { observation in
                    heard.withLock { _ = $0.insert(observation.device) }
                }
                #expect(try await channel.replay(home, .everyDevice) == .complete)
                observation.cancel()
                await channel.close()
                await peer.end()
                #expect(heard.withLock { $0 } == [Sample.lamp.deviceID])
            }
        }
    }
}

/// ``Sample/lamp`` with the broker's plugin: a retained status, replies to settings, and posts of what was set.
private actor ScriptedLamp {
    private let peer: MQTTPeer
    private(set) var settings = 0

    private init(_ peer: MQTTPeer) { self.peer = peer }

    static func with(_ url: String, _ body: (ScriptedLamp) async throws -> Void) async throws {
        try await MQTTPeer.with(url, id: "lamp-1") { peer in
            let lamp = ScriptedLamp(peer)
            try await lamp.begin()
            // Ended with the scope.
            async let _ = lamp.serve()
            try await body(lamp)
        }
    }

    private func begin() async throws {
        try await peer.subscribe("/sys/\(Sample.lamp)/thing/service/property/set")
        try await peer.publish(
            AlinkTopic(Sample.lamp, .status).text, #"{"status":"online"}"#, retain: true)
    }

    /// As after the broker's return.
    func beginAgain() async throws {
        try await peer.reconnected()
        try await begin()
    }

    func publish(_ topic: String, _ text: String, retain: Bool = false) async throws {
        try await peer.publish(topic, text, retain: retain)
    }

    private func serve() async {
        for await message in peer.messages {
            guard let request = try? AlinkRequest(payload: message.payload) else { continue }
            settings += 1
            let values = String(decoding: JSONWriter.write(request.parameters), as: UTF8.self)
            do {
                try await publish(
                    AlinkTopic(Sample.lamp, .reply(.setting)).text,
                    #"{"id":"\#(request.id)","code":200,"data":{}}"#)
                try await publish(
                    AlinkTopic(Sample.lamp, .properties).text,
                    #"{"id":"1","version":"1.0","params":\#(values)}"#)
            } catch {
                // The broker went away in the midst of it.
                continue
            }
        }
    }
}

/// A broker with one lamp.
private struct LampPeer: ChannelPeer {
    let home = AlinkAdapterTests.home
    let controller = ControllerID.literal("ctl")
    let device = Sample.lamp.deviceID
    let command = CommandName(rawValue: "set-power")
    let arguments: JSONObject = ["Power": true]
    private let broker: MosquittoBroker
    private let lamp: ScriptedLamp
    private let loop: MQTTEventLoop
    private let models: ThingModelFolder

    init(_ broker: MosquittoBroker, _ lamp: ScriptedLamp) throws {
        self.broker = broker
        self.lamp = lamp
        let folder = try TemporaryFolder()
        try folder.file("\(Sample.product).json", Sample.text)
        models = try ThingModelFolder(path: folder.path)
        loop = try MQTTEventLoop(label: "channels")
    }

    func end() async { await loop.shutdown() }

    func makeChannel() async throws -> any CommunicationChannel {
        AlinkChannel(
            AlinkChannelConfiguration(
                id: .literal("alink"), home: home,
                link: MQTTLinkConfiguration(
                    broker: try MQTTBrokerAddress(url: broker.url), clientIDPrefix: "alink",
                    reconnect: MQTTReconnectPolicy(
                        initial: .milliseconds(5), cap: .milliseconds(50))),
                models: models), on: loop)
    }

    func receivedCommands() async throws -> Int { await lamp.settings }

    func loseLink() async throws { await broker.stop() }

    func restoreLink() async throws {
        try await broker.start()
        try await lamp.beginAgain()
    }

    func sendGarbage() async throws {
        for name in [Sample.lamp, Sample.name("ghost")] {
            for content in [AlinkTopic.Content.properties, .event("overHeat"), .reply(.setting)] {
                try await lamp.publish(AlinkTopic(name, content).text, "{\"id\":")
            }
            try await lamp.publish(AlinkTopic(name, .status).text, #"{"status":7}"#)
        }
    }
}
