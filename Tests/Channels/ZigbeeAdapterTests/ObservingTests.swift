import Connectivity
import DeviceDomain
import MQTTClient
import MQTTLink
import TestSupport
import Testing

@testable import ZigbeeAdapter

@Suite(.serialized, .timeLimit(.minutes(1))) struct ObservingTests {
    /// The observations of an observer, in order.
    private struct Hearing {
        let heard: AsyncStream<DeviceObservation>
        let observation: ChannelObservation
        private let source: AsyncStream<DeviceObservation>.Continuation

        init(_ channel: ZigbeeChannel, of place: HomeID = home, _ scope: HomeScope = .everyDevice) {
            let (stream, source) = AsyncStream.makeStream(of: DeviceObservation.self)
            heard = stream
            self.source = source
            observation = channel.observe(place, scope) { source.yield($0) }
        }

        func first(_ device: DeviceID, _ isMeant: (DeviceObservation.Content) -> Bool) async
            -> DeviceObservation.Content?
        {
            for await observation in heard
            where observation.device == device && isMeant(observation.content) {
                return observation.content
            }
            return nil
        }

        /// The observations so far that were not taken.
        func rest() async -> [DeviceObservation] {
            source.finish()
            return await heard.reduce(into: []) { $0.append($1) }
        }
    }

    private func isDescription(_ content: DeviceObservation.Content) -> Bool {
        if case .description = content { true } else { false }
    }

    @Test func whatTheBridgeRetainsIsHeardBeforeTheFence() async throws {
        try await withBridge([(.lamp, .obeys), (.plug, .obeys)]) { channel, bridge in
            try await bridge.announce("kitchen/lamp", "online")
            let hearing = Hearing(channel)
            #expect(!channel.reportsTelemetry)
            #expect(try await channel.replay(home, .everyDevice) == .complete)
            let snapshot = await channel.model.snapshot(of: .everyDevice)
            #expect(Set(snapshot.map(\.device)).count == 3)
            #expect(
                await hearing.first(lamp) { $0 == .presence(Presence(.online)) } != nil)
            // A later observer gets the same at once.
            let late = Hearing(channel, .device(lamp))
            var iterator = late.heard.makeAsyncIterator()
            let first = await iterator.next()
            #expect(first?.device == lamp)
            #expect(first.map { isDescription($0.content) } == true)
            #expect(await iterator.next()?.content == .presence(Presence(.online)))
        }
    }

    @Test func withoutABridgeNothingIsComplete() async throws {
        try await withBroker { broker in
            try await withChannel(broker.url, base: "elsewhere/z") { channel in
                let hearing = Hearing(channel)
                guard case .incomplete(let reason) = try await channel.replay(home, .everyDevice)
                else {
                    Issue.record("complete without a bridge")
                    return
                }
                #expect(reason.contains("elsewhere/z"))
                let error = await #expect(throws: CommunicationError.self) {
                    _ = try await Talk(channel)
                }
                #expect(error?.isRetriable == true)
                hearing.observation.cancel()
            }
        }
    }

    @Test(arguments: [#"{"oops":1}"#, #"[{"ieee_address":"0x"#])
    func aListThatCannotBeReadIsNoMissingBridge(list: String) async throws {
        try await withBroker { broker in
            try await ScriptedBridge.with(broker.url) { bridge in
                try await bridge.publish("bridge/devices", list, retain: true)
                try await withChannel(broker.url) { channel in
                    let hearing = Hearing(channel)
                    guard
                        case .incomplete(let reason) = try await channel.replay(home, .everyDevice)
                    else {
                        Issue.record("complete without a list")
                        return
                    }
                    #expect(reason.contains("cannot be read: bridge/devices: "), "\(reason)")
                    #expect(!reason.contains("no zigbee2mqtt bridge"), "\(reason)")
                    let error = await #expect(throws: CommunicationError.self) {
                        _ = try await Talk(channel)
                    }
                    #expect(error?.message == reason)
                    #expect(error?.isRetriable == true)
                    hearing.observation.cancel()
                }
            }
        }
    }

    @Test func aFenceThatIsNotPermittedLeavesDoubt() async throws {
        let folder = try TemporaryFolder()
        let access = try folder.file(
            "access", "topic read zigbee2mqtt/#\ntopic write zigbee2mqtt/bridge/devices\n")
        try await withBroker("acl_file \(access)") { broker in
            try await ScriptedBridge.with(broker.url) { _ in
                try await withChannel(broker.url, { $0.fenceDeadline = .milliseconds(200) }) {
                    channel in
                    _ = Hearing(channel)
                    guard case .incomplete = try await channel.replay(home, .everyDevice) else {
                        Issue.record("complete without a fence")
                        return
                    }
                }
            }
        }
    }

    @Test func onlyItsOwnHomeIsServed() async throws {
        try await withBridge { channel, _ in
            let other = try HomeID("home-2")
            let foreign = Hearing(channel, of: other)
            let own = Hearing(channel)
            #expect(try await channel.replay(home, .everyDevice) == .complete)
            #expect(try await channel.replay(other, .everyDevice) == .complete)
            #expect(await own.first(lamp, isDescription) != nil)
            #expect(await foreign.rest().isEmpty)
            await #expect(throws: CommunicationError.self) {
                let service = channel.service(for: lamp, in: other)
                try await service.connect(
                    to: GenericDevice(profile: .undescribed(lamp, in: other)))
            }
        }
    }

    @Test func whatNobodyObservesIsNotReplayed() async throws {
        try await withBridge { channel, _ in
            let error = await #expect(throws: CommunicationError.self) {
                try await channel.replay(home, .everyDevice)
            }
            #expect(error?.certainty == .neverLeft)
        }
    }

    @Test func twoBridgesOnOneBrokerAreTwoChannels() async throws {
        try await withBroker { broker in
            try await ScriptedBridge.with(broker.url, base: "z/one") { one in
                try await ScriptedBridge.with(broker.url, base: "z/two", [(.plug, .obeys)]) { two in
                    try await withChannel(broker.url, id: "one", base: "z/one") { first in
                        try await withChannel(broker.url, id: "two", base: "z/two") { second in
                            let talk = try await Talk(first)
                            let other = try await Talk(second, device(SampleDevice.plug.address))
                            try await talk.send(try intent("turn-on"))
                            #expect(await talk.evidence()?.provesEffect == true)
                            try await other.send(
                                try intent("turn-off", for: device(SampleDevice.plug.address)))
                            #expect(await other.evidence()?.provesEffect == true)
                            let names = [await one.requests, await two.requests]
                                .map { Set($0.map(\.topic)) }
                            #expect(
                                names == [
                                    ["kitchen/lamp/set", "kitchen/lamp/get"],
                                    ["plug/set", "plug/get"],
                                ])
                            #expect(await first.model.devices.keys.map(\.text) == [lamp.text])
                        }
                    }
                }
            }
        }
    }

    @Test func afterTheBrokersReturnEverythingIsHeardAgain() async throws {
        try await withBroker { broker in
            try await ScriptedBridge.with(broker.url) { bridge in
                try await withChannel(broker.url) { channel in
                    try await bridge.announce("kitchen/lamp", "online")
                    let hearing = Hearing(channel)
                    #expect(await hearing.first(lamp) { $0 == .presence(Presence(.online)) } != nil)
                    var states = channel.linkStates().makeAsyncIterator()
                    await broker.kill()
                    while let state = await states.next(), state.isConnected {}
                    #expect(await channel.model.presence(of: lamp) == nil)
                    try await broker.start()
                    while let state = await states.next(), !state.isConnected {}
                    try await bridge.beginAgain()
                    try await bridge.announce("kitchen/lamp", "offline")
                    #expect(
                        await hearing.first(lamp) { $0 == .presence(Presence(.offline)) } != nil)
                    #expect(try await channel.replay(home, .everyDevice) == .complete)
                }
            }
        }
    }

    /// Over MQTT 3.1.1 a client cannot announce its limit.
    @Test func aMessageThatIsTooLargeIsReportedOfItsDevice() async throws {
        try await withFakeBroker { broker in
            try await withChannel(
                broker.url,
                {
                    $0.link.version = .v3_1_1
                    $0.link.maximumPacketSize = 50_000
                }
            ) { channel in
                let hearing = Hearing(channel)
                guard
                    case .problem(.state, let reason)? = await hearing.first(lamp, { $0.isProblem })
                else {
                    Issue.record("no problem")
                    return
                }
                #expect(reason.contains("zigbee2mqtt/kitchen/lamp: the limit is 50000"))
                #expect(await hearing.first(lamp) { $0 == .presence(Presence(.online)) } != nil)
                #expect(await channel.counters.oversizedMessages == 1)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe()
            for (topic, payload) in [
                ("bridge/state", #"{"state":"online"}"#),
                ("bridge/devices", SampleDevice.list([.lamp])),
                ("kitchen/lamp", String(repeating: "x", count: 50_000)),
                ("kitchen/lamp/availability", #"{"state":"online"}"#),
            ] {
                try peer.send(
                    .publish(
                        peer.version, topic: "zigbee2mqtt/\(topic)", payload: Array(payload.utf8),
                        retain: true))
            }
            _ = peer.readToEnd()
        }
    }

    @Test func aCancelledObservationHearsNoMore() async throws {
        try await withBridge { channel, bridge in
            let gone = Hearing(channel)
            #expect(await gone.first(lamp, isDescription) != nil)
            gone.observation.cancel()
            let talk = try await Talk(channel)
            for state in ["ON", "OFF"] as [JSONValue] {
                try await bridge.change("kitchen/lamp", ["state": state])
                #expect(await talk.hears { if case .state = $0 { true } else { false } })
            }
            let isState = { (content: DeviceObservation.Content) in
                if case .state = content { true } else { false }
            }
            #expect(await !gone.rest().contains { $0.device == lamp && isState($0.content) })
        }
    }

    @Test func closingEndsEveryStream() async throws {
        try await withBridge { channel, _ in
            let talk = try await Talk(channel)
            let states = channel.linkStates()
            await channel.close()
            for await _ in states {}
            #expect(await talk.evidence() == nil)
            await #expect(throws: CommunicationError.self) { try await channel.open() }
        }
    }

    @Test(arguments: ["", "/a", "a/", "a/#", "+", "a\u{0}b"])
    func aBaseTopicMustBeOne(base: String) throws {
        let link = MQTTLinkConfiguration(
            broker: try MQTTBrokerAddress(url: "mqtt://127.0.0.1:1"), clientIDPrefix: "x")
        let error = #expect(throws: MQTTError.self) {
            try ZigbeeChannelConfiguration(
                id: try ChannelID("attic"), home: home, link: link, baseTopic: base)
        }
        #expect(error?.message.contains("base topic") == true)
    }

    @Test func theTraitsAreThoseOfABridge() async throws {
        try await withChannel("mqtt://127.0.0.1:1", opening: false) { channel in
            #expect(channel.traits == [.delivery, .effect, .order])
            #expect(channel.kind.rawValue == "zigbee2mqtt")
        }
    }
}

extension DeviceObservation.Content {
    fileprivate var isProblem: Bool { if case .problem = self { true } else { false } }
}
