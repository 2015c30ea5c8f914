import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport
import Testing

@testable import MosquittoAdapter

@Suite(.timeLimit(.minutes(1))) struct ObservingTests {
    @Test func anObserverHearsTheDevicesItAskedFor() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["a", "b", "c"] { try await peer.announce(id) }
                try await withChannel(broker.url) { channel in
                    let scope = HomeScope.devices([device("a"), device("c")])
                    let (recorder, completeness) = try await channel.survey(scope)
                    #expect(completeness == .complete)
                    #expect(recorder.devices == [device("a"), device("c")])
                    #expect(Set(recorder.names(of: "a")) == ["description", "presence", "state 1"])
                }
            }
        }
    }

    @Test func manyDevicesAreHeardByTheirOwnFilters() async throws {
        let devices = Set((1...150).map { device("d-\($0)") })
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["d-17", "d-150", "d-151"] { try await peer.announce(id) }
                try await withChannel(broker.url) { channel in
                    let (recorder, completeness) = try await channel.survey(.devices(devices))
                    #expect(completeness == .complete)
                    #expect(recorder.devices == [device("d-17"), device("d-150")])
                }
            }
        }
    }

    @Test func ofAWholeHomeDescriptionAndStateComeByFiltersOfEachDevice() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) { channel in
                _ = channel.startRecording()
                await broker.signalled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            // The topics that are not retained are requested in two packets of different QoS.
            let live = try peer.acceptSubscribe() + peer.acceptSubscribe()
            #expect(
                Set(live) == [
                    "homeport/v1/home-1/+/telemetry", "homeport/v1/home-1/+/event/+",
                    "homeport/v1/home-1/+/ack/ctl", "homeport/v1/home-1/fence",
                ])
            let presence = try peer.read(.subscribe)
            #expect(try presence.filters().map(\.filter) == ["homeport/v1/home-1/+/presence"])
            for id in ["a", "b"] {
                try peer.say(id, "presence", Array(announcement(id)[1].payload.utf8))
            }
            try peer.send(.suback(.v5, presence.identifier, codes: [0]))
            #expect(
                try peer.acceptSubscribe() == [
                    "homeport/v1/home-1/a/description", "homeport/v1/home-1/a/state",
                    "homeport/v1/home-1/b/description", "homeport/v1/home-1/b/state",
                ])
            // A device that appears later is subscribed to, too.
            try peer.say("c", "telemetry", Array("{}".utf8))
            #expect(try peer.acceptSubscribe().count == 2)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func aSecondObserverOfAHomeGetsWhatIsRetained() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["a", "b"] { try await peer.announce(id) }
                try await withChannel(broker.url) { channel in
                    let (_, first) = channel.startRecording()
                    _ = try await channel.replay(home, .everyDevice)
                    let (second, _) = channel.startRecording()
                    _ = try await channel.replay(home, .everyDevice)
                    for id in ["a", "b"] {
                        #expect(
                            Set(second.names(of: id)) == ["description", "presence", "state 1"])
                    }
                    // It goes on recorder when the first one has ended.
                    first.cancel()
                    try await peer.announce("a", revision: 2)
                    await second.next("state 2", of: "a")
                }
            }
        }
    }

    /// The broker would not replay all of it to wildcards.
    @Test func aSecondObserverOfAHomeThatHasGrownGetsEachDeviceByItsFilters() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) { channel in
                let (recorder, _) = channel.startRecording()
                try await channel.subscribeByWildcards(to: home)
                broker.proceed()
                await recorder.next("presence", of: "d-501")
                _ = channel.startRecording()
                await broker.signalled()
            }
        } broker: { broker in
            let wildcards = ["description", "state"].map { "homeport/v1/home-1/+/\($0)" }
            let peer = try broker.acceptConnected()
            var filters: [String] = []
            while !filters.contains(wildcards[1]) { filters += try peer.acceptSubscribe() }
            try broker.awaitProceed()
            for number in 1...501 {
                let id = "d-\(number)"
                try peer.say(id, "presence", Array(announcement(id)[1].payload.utf8))
            }
            filters = []
            while filters.count(where: { !$0.contains("+") }) < 1_002 {
                filters += try peer.acceptSubscribe()
            }
            #expect(Set(filters).isDisjoint(with: wildcards))
            #expect(Set(try peer.read(.unsubscribe).filters().map(\.filter)) == Set(wildcards))
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func oneDeviceIsHeardBesideAWholeHome() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["a", "b"] { try await peer.announce(id) }
                try await withChannel(broker.url) { channel in
                    let (whole, _) = channel.startRecording()
                    _ = try await channel.replay(home, .everyDevice)
                    let (one, observation) = channel.startRecording(.device(device("a")))
                    let completeness = try await channel.replay(home, .device(device("a")))
                    #expect(completeness == .complete)
                    #expect(one.devices == [device("a")])
                    #expect(Set(one.names(of: "a")) == ["description", "presence", "state 1"])
                    // Live messages come once to each.
                    try await peer.announce("a", revision: 2)
                    try await peer.announce("a", revision: 3)
                    await one.next("state 3", of: "a")
                    for recorder in [whole, one] {
                        #expect(recorder.names(of: "a").filter { $0 == "state 2" }.count == 1)
                    }
                    // A cancelled observer gets nothing more, and the other one continues.
                    observation.cancel()
                    #expect(await channel.observers.count == 1)
                    try await peer.announce("a", revision: 4)
                    await whole.next("state 4", of: "a")
                    #expect(!one.names(of: "a").contains("state 4"))
                }
            }
        }
    }

    @Test func aConversationAndAnObserverHearTheSame() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "device") { peer in
                try await withChannel(broker.url) { channel in
                    let (recorder, _) = channel.startRecording()
                    let service = channel.service(for: device("a"), in: home)
                    try await service.connect(to: generic("a"))
                    let id = makeCommandID()
                    try await peer.acknowledge(id, of: "a", on: "a")
                    let observed = try #require(await recorder.next())
                    #expect(observed == (await service.messages.next()))
                    #expect(observed.home == home)
                    #expect(observed.channel == channelID)
                    #expect(observed.content == .evidence(CommandEvidence(ack(id))))
                }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct RoutingTests {
    /// A published message, the resulting observation, and what is counted.
    struct Case: Sendable, CustomTestStringConvertible {
        let topic: String
        let payload: String
        /// The name of the resulting observation of device a; nil for none.
        let observed: String?
        let counters: ChannelCounters

        var testDescription: String { "\(topic): \(payload)" }

        init(_ topic: String, _ payload: String, _ observed: String?, _ counters: ChannelCounters) {
            (self.topic, self.payload) = (topic, payload)
            (self.observed, self.counters) = (observed, counters)
        }
    }

    private static func counting(_ path: WritableKeyPath<ChannelCounters, Int>) -> ChannelCounters {
        var counters = ChannelCounters()
        counters[keyPath: path] = 1
        return counters
    }

    static let cases: [Case] = {
        let (empty, malformed) = (counting(\.emptyMessages), counting(\.malformedPayloads))
        let (misaddressed, foreign) = (counting(\.misaddressedMessages), counting(\.foreignTopics))
        return [
            Case("a/description", "", "cleared description", empty),
            Case("a/presence", "", "cleared presence", empty),
            Case("a/state", "", "cleared state", empty),
            Case("a/telemetry", "", nil, empty),
            Case("a/event/stuck", "", nil, empty),
            Case("a/ack/ctl", "", nil, empty),
            Case("a/description", #"{"v":1}"#, "problem description", malformed),
            Case("a/presence", "[]", "problem presence", malformed),
            Case("a/state", "{", "problem state", malformed),
            Case("a/telemetry", #"{"v":2}"#, "problem telemetry", malformed),
            Case("a/event/stuck", "nonsense", "problem event", malformed),
            Case("a/ack/ctl", "\u{FEFF}{}", "problem ack", malformed),
            Case("a/presence", announcement("b")[1].payload, "problem presence", misaddressed),
            Case("a/state", announcement("b")[2].payload, "problem state", misaddressed),
            Case(
                "a/event/docked",
                """
                {"v":1,"device":"a","boot":"b1","id":"018f3c20-7b9a-7c2e-9d5e-3a1f0c9b7e11",\
                "at":1,"event":"stuck","detail":{}}
                """, "problem event", misaddressed),
            Case("a/event/Nonsense", "{}", nil, foreign),
            Case("A/telemetry", "{}", nil, foreign),
            Case("fence", "{}", nil, ChannelCounters()),
        ]
    }()

    @Test(arguments: cases)
    func whatIsWrongIsCountedAndToldOfItsDevice(_ item: Case) async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) { channel in
                let (recorder, _) = channel.startRecording()
                let service = channel.service(for: device("b"), in: home)
                try await service.connect(to: generic("b"))
                broker.proceed()
                // The message after it is observed.
                await recorder.next("presence", of: "b")
                #expect(
                    recorder.names(of: "a") == ["presence"] + (item.observed.map { [$0] } ?? []))
                #expect(recorder.devices.subtracting([device("a"), device("b")]).isEmpty)
                #expect(await service.messages.next()?.content.name == "presence")
                #expect(await channel.counters == item.counters)
                #expect(await channel.counters.total == (item.counters == .init() ? 0 : 1))
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            // Two for topics that are not retained, presence, and the state of the conversation's device.
            try peer.acceptSubscribes(4)
            try broker.awaitProceed()
            try peer.say("a", "presence", Array(announcement("a")[1].payload.utf8))
            try peer.acceptSubscribes(1)
            try peer.send(
                .publish(
                    .v5, topic: "homeport/v1/home-1/\(item.topic)",
                    payload: Array(item.payload.utf8)))
            try peer.say("b", "presence", Array(announcement("b")[1].payload.utf8))
            _ = peer.readToEnd()
        }
    }

    /// Over MQTT 3.1.1 a client cannot announce its limit.
    @Test func aMessageThatIsTooLargeIsReportedOfItsDevice() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) {
                $0.version = .v3_1_1
            } _: { channel in
                let (recorder, _) = channel.startRecording(.device(device("a")))
                broker.proceed()
                guard case .problem(.state, let reason)? = await recorder.next()?.content else {
                    Issue.record("no problem")
                    return
                }
                #expect(reason.contains("homeport/v1/home-1/a/state"))
                #expect(reason.contains("the limit is 1048576"))
                await recorder.next("presence", of: "a")
                #expect(await channel.counters == Self.counting(\.oversizedMessages))
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribes(2)
            try broker.awaitProceed()
            try peer.say("a", "state", [UInt8](repeating: 7, count: 1 << 20))
            try peer.say("a", "presence", Array(announcement("a")[1].payload.utf8))
            _ = peer.readToEnd()
        }
    }

    @Test func aProblemSaysWhatIsWrong() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "vandal") { peer in
                try await withChannel(broker.url) { channel in
                    let (recorder, _) = channel.startRecording()
                    _ = try await channel.replay(home, .device(device("a")))
                    try await peer.acknowledge(makeCommandID(), of: "b", on: "a")
                    #expect(
                        await recorder.next()?.content
                            == .problem(.ack, "the payload names device b"))
                    try await peer.publish(
                        "homeport/v1/home-1/a/state", #"{"v":1,"device":7}"#, retain: true)
                    guard case .problem(.state, let reason)? = await recorder.next()?.content else {
                        Issue.record("no problem")
                        return
                    }
                    #expect(reason.contains("device"))
                }
            }
        }
    }
}
