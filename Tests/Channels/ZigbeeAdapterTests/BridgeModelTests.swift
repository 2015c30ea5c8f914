import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import ZigbeeAdapter

@Suite struct BridgeModelTests {
    private var model = BridgeModel(bridge: device("attic"), home: home)
    private let lamp = device("0x00158d0001dc126a")
    private let plug = device("0x00158d0001dc1270")

    /// The update from a message.
    private mutating func hear(
        _ topic: String, _ payload: String, isReplay: Bool = false
    ) -> [DeviceUpdate] {
        model.receive(BridgeTopic(topic), Array(payload.utf8), isReplay: isReplay)
    }

    private mutating func begin(_ devices: SampleDevice...) {
        _ = hear("bridge/state", #"{"state":"online"}"#)
        _ = hear("bridge/devices", SampleDevice.list(devices))
    }

    @Test mutating func aListedDeviceIsDescribed() throws {
        let update = hear("bridge/devices", SampleDevice.list([.lamp, .thermometer]))
        #expect(update.map(\.device) == [model.bridge, lamp, device("0x00158d0001dc1272")])
        guard case .description(let profile) = update[1].content else {
            Issue.record("\(update[1]) is no description")
            return
        }
        #expect(profile.name == "kitchen/lamp")
        #expect(profile.kind == .light)
        #expect(profile.model.rawValue == "M-1")
        #expect(profile.firmware == "1.2.3")
        #expect(profile.capabilities == [.connectable, .controllable])
        #expect(profile.specification(of: CommandName(rawValue: "turn-on")) != nil)
        guard case .description(let sensor) = update[2].content else {
            Issue.record("\(update[2]) is no description")
            return
        }
        #expect(sensor.capabilities.contains(.batteryPowered))
        #expect(hear("bridge/devices", SampleDevice.list([.lamp, .thermometer])).isEmpty)
    }

    @Test mutating func aRenamedDeviceIsTheSameOne() {
        begin(.lamp)
        _ = hear("kitchen/lamp", #"{"state":"ON","brightness":7}"#)
        var renamed = SampleDevice.lamp
        renamed.name = "hall"
        // As the bridge does it: the old state is cleared, and the availability comes before the list.
        #expect(hear("kitchen/lamp", "").isEmpty)
        #expect(hear("hall/availability", #"{"state":"offline"}"#).isEmpty)
        let update = hear("bridge/devices", SampleDevice.list([renamed]))
        #expect(update.map(\.device) == [lamp, lamp])
        #expect(update.first?.name == "hall")
        #expect(update.last?.content == .presence(Presence(.offline)))
        #expect(hear("kitchen/lamp", #"{"state":"OFF"}"#).isEmpty)
        #expect(
            hear("hall", #"{"state":"OFF"}"#).last?.content
                == .state(StateReport(["state": "OFF", "brightness": 7])))
    }

    @Test mutating func aDeviceThatIsNotListedAnyMoreIsGone() {
        begin(.lamp, .plug)
        let update = hear("bridge/devices", SampleDevice.list([.plug]))
        #expect(update == [DeviceUpdate(device: lamp, content: .removed)])
        #expect(hear("kitchen/lamp", #"{"state":"ON"}"#).isEmpty)
        #expect(model.snapshot(of: .device(lamp)).isEmpty)
    }

    @Test mutating func partsOfAStateArePutTogether() {
        begin(.lamp)
        _ = hear("kitchen/lamp", #"{"state":"ON","color":{"x":1,"y":0},"battery":80}"#)
        let update = hear("kitchen/lamp", #"{"state":"OFF","device":{"model":"M-1"}}"#)
        let expected: JSONObject = [
            "state": "OFF", "color": ["x": 1, "y": 0], "battery": 80, "batteryPercent": 80,
        ]
        #expect(update == [DeviceUpdate(device: lamp, content: .state(StateReport(expected)))])
    }

    @Test mutating func whatComesBeforeTheListIsKeptForIt() {
        #expect(hear("plug", #"{"state":"ON"}"#, isReplay: true).isEmpty)
        #expect(hear("plug/availability", #"{"state":"online"}"#, isReplay: true).isEmpty)
        #expect(hear("bridge/state", #"{"state":"online"}"#).last?.device == model.bridge)
        let contents = hear("bridge/devices", SampleDevice.list([.plug])).map(\.content)
        #expect(
            contents.suffix(2) == [
                .presence(Presence(.online)), .state(StateReport(["state": "ON"])),
            ])
    }

    @Test(arguments: [
        (#"{"state":"online"}"#, DeviceObservation.Content.presence(Presence(.online))),
        ("online", .presence(Presence(.online))),
        (#"{"state":"offline"}"#, .presence(Presence(.offline))),
        ("", .cleared(.presence)),
    ])
    mutating func availabilityIsThePresence(
        payload: String, content: DeviceObservation.Content
    ) throws {
        begin(.lamp)
        let update = hear("kitchen/lamp/availability", payload)
        #expect(update == [DeviceUpdate(device: lamp, content: content)])
    }

    @Test mutating func withoutAvailabilityADeviceIsOnlineOnceItSpeaks() {
        begin(.lamp)
        let known = hear("kitchen/lamp", #"{"state":"ON"}"#, isReplay: true).map(\.content)
        #expect(known == [.state(StateReport(["state": "ON"]))])
        #expect(model.reported == nil)
        let heard = hear("kitchen/lamp", #"{"state":"ON"}"#).map(\.content)
        #expect(
            heard == [.presence(Presence(.online)), .state(StateReport(["state": "ON"]))])
        #expect(model.reported == ReportedState(device: lamp, members: ["state": "ON"]))
    }

    @Test mutating func whileTheBridgeIsOfflineNothingVouchesForADevice() {
        begin(.lamp, .plug)
        _ = hear("kitchen/lamp/availability", "online")
        _ = hear("plug", #"{"state":"ON"}"#)
        let update = hear("bridge/state", #"{"state":"offline"}"#)
        #expect(
            update == [
                DeviceUpdate(device: model.bridge, content: .presence(Presence(.offline))),
                DeviceUpdate(device: lamp, content: .cleared(.presence)),
                DeviceUpdate(device: plug, content: .cleared(.presence)),
            ])
        #expect(hear("kitchen/lamp/availability", "online").isEmpty)
        let back = hear("bridge/state", #"{"state":"online"}"#)
        #expect(
            back == [
                DeviceUpdate(device: model.bridge, content: .presence(Presence(.online))),
                DeviceUpdate(device: lamp, content: .presence(Presence(.online))),
            ])
    }

    @Test mutating func afterALostLinkPresencesAreToldAgain() {
        begin(.lamp)
        _ = hear("kitchen/lamp/availability", "online")
        model.linkLost()
        #expect(!model.isListed)
        #expect(hear("kitchen/lamp/availability", "online").isEmpty)
        #expect(hear("bridge/state", "online").map(\.device) == [model.bridge, lamp])
    }

    @Test mutating func aButtonThatIsPressedIsAnEvent() throws {
        begin(.remote)
        let payload = #"{"action":"single","action_group":3,"battery":80}"#
        let update = hear("remote", payload)
        let event = EventReport(
            try EventName("action"), detail: ["action": "single", "action_group": 3])
        #expect(update.contains { $0.content == .event(event) })
        #expect(
            update.last?.content == .state(StateReport(["battery": 80, "batteryPercent": 80])))
        #expect(!hear("remote", payload, isReplay: true).contains { $0.content == .event(event) })
    }

    @Test(arguments: [
        (#""supported":true,"interview_state":"IN_PROGRESS""#, "interview"),
        (#""supported":true,"interview_state":"FAILED""#, "interview failed"),
        (#""supported":true,"interview_completed":false"#, "interview"),
    ])
    mutating func aDeviceThatCannotBeUsedIsListedWithItsProblem(
        members: String, reason: String
    ) {
        var lamp = SampleDevice.lamp
        lamp.members = members
        begin()
        let update = hear("bridge/devices", SampleDevice.list([lamp]))
        #expect(update.first?.commandNames == [])
        #expect(update.last?.problem?.contains(reason) == true)
        #expect(update.last?.device == self.lamp)
        #expect(hear("kitchen/lamp/availability", "online").count == 1)
    }

    @Test mutating func aDefinitionThatTheBridgeHasGeneratedWorks() {
        var lamp = SampleDevice.lamp
        lamp.members = #""supported":false,"interview_state":"SUCCESSFUL""#
        begin()
        let update = hear("bridge/devices", SampleDevice.list([lamp]))
        #expect(update.first?.commandNames?.contains("turn-on") == true)
        #expect(update.allSatisfy { $0.problem == nil })
    }

    @Test(arguments: [
        #"{"ieee_address":"0x00158d0001dc126a","friendly_name":"new","supported":false,"definition":{"exposes":[]}}"#,
        #"{"ieee_address":"0x00158d0001dc126a","type":"EndDevice","friendly_name":"new","supported":false,"interview_state":"SUCCESSFUL"}"#,
        #"{"ieee_address":"0x00158d0001dc126a","friendly_name":"new","supported":true,"definition":null}"#,
        #"{"ieee_address":"0x00158d0001dc126a","friendly_name":"new","disabled":true,"definition":{"exposes":[]}}"#,
        #"{"ieee_address":"0x00158d0001dc126a","friendly_name":"a+b","definition":{"exposes":[]}}"#,
    ])
    mutating func whatIsUnknownOfADeviceIsSaid(entry: String) {
        begin()
        let update = hear("bridge/devices", "[\(entry)]")
        #expect(update.count == 2)
        #expect(update.first?.commandNames == [])
        #expect(update.last?.problem != nil)
        // A later observer gets the same.
        #expect(model.snapshot(of: .device(lamp)) == update)
    }

    @Test mutating func theBridgeIsADevice() {
        let info = """
            {"version":"2.12.1","coordinator":{"type":"EmberZNet","meta":{}},"permit_join":true,\
            "permit_join_end":1764000000000,"restart_required":false,\
            "network":{"extended_pan_id":"0xdddd"},"config":{"advanced":{"network_key":[1,2]}}}
            """
        let update = hear("bridge/info", info)
        #expect(update.map(\.device) == [model.bridge, model.bridge])
        #expect(update.first?.commandNames == ["permit-join"])
        #expect(
            update.last?.content
                == .state(
                    StateReport([
                        "version": "2.12.1", "permit_join": true,
                        "permit_join_end": 1_764_000_000_000, "restart_required": false,
                    ])))
        let joined = #"{"type":"device_joined","data":{"friendly_name":"x","ieee_address":"0x1"}}"#
        guard case .event(let event) = hear("bridge/event", joined).first?.content else {
            Issue.record("no event")
            return
        }
        #expect(event.name.text == "device-joined")
        #expect(event.detail == ["friendly_name": "x", "ieee_address": "0x1"])
    }

    @Test(arguments: [
        ("bridge/state", "{", DevicePart.presence, "attic"),
        ("bridge/state", #"{"state":"perhaps"}"#, .presence, "attic"),
        ("bridge/info", "[]", .state, "attic"),
        ("bridge/devices", #"{"a":1}"#, .description, "attic"),
        ("bridge/devices", "[1,", .description, "attic"),
        ("kitchen/lamp", "on", .state, "0x00158d0001dc126a"),
        ("kitchen/lamp", #"{"a":1,"a":2}"#, .state, "0x00158d0001dc126a"),
        ("kitchen/lamp/availability", "7", .presence, "0x00158d0001dc126a"),
    ])
    mutating func whatCannotBeReadIsTold(
        topic: String, payload: String, part: DevicePart, id: String
    ) {
        begin(.lamp)
        let update = hear(topic, payload)
        guard case .problem(part, let reason) = update.last?.content else {
            Issue.record("\(update) tells no problem of \(part)")
            return
        }
        #expect(update.last?.device == device(id))
        #expect(!reason.isEmpty)
        #expect(model.counters.malformedPayloads == 1)
        // The list holds that was read before.
        #expect(model.devices[lamp] != nil)
    }

    @Test mutating func aListThatCanBeReadAgainEndsTheProblem() {
        begin(.lamp)
        _ = hear("bridge/devices", "[")
        let update = hear("bridge/devices", SampleDevice.list([.lamp]))
        #expect(update.count == 1)
        #expect(update.first?.device == model.bridge)
        #expect(update.first?.commandNames == ["permit-join"])
    }

    @Test mutating func entriesThatCannotBeReadAreCountedAndTheOthersListed() {
        begin()
        let list =
            #"[7,{"friendly_name":"x"},{"ieee_address":"attic"},"# + SampleDevice.lamp.entry + ","
            + SampleDevice.lamp.entry + "]"
        #expect(hear("bridge/devices", list).map(\.device) == [lamp])
        #expect(model.counters.unusableEntries == 4)
    }

    @Test(arguments: [
        "bridge/request/permit_join", "bridge/homeport/fence", "bridge/groups", "kitchen/lamp/set",
        "kitchen/lamp/get", "kitchen/lamp/set/state", "bridge/logging", "bridge/response/options",
    ])
    mutating func whatOthersAskTellsNothing(topic: String) {
        begin(.lamp)
        #expect(hear(topic, #"{"state":"ON"}"#).isEmpty)
        #expect(model.counters == ZigbeeCounters())
    }

    @Test mutating func aNameMayEndLikeAnotherTopic() {
        var odd = SampleDevice.plug
        odd.name = "kitchen/lamp/availability"
        begin(.lamp, odd)
        #expect(hear("kitchen/lamp/availability", #"{"state":"ON"}"#).last?.device == plug)
    }

    @Test mutating func messagesOfUnknownNamesAreKeptWithinALimit() {
        for number in 0..<5_000 { _ = hear("name-\(number)", #"{"state":"ON"}"#) }
        #expect(model.counters.droppedMessages == 5_000 - HeldMessages.limit.topics)
    }

    /// Topics of oversized messages, and the reported problem.
    @Test(arguments: [
        ("bridge/state", "attic presence"), ("bridge/info", "attic state"),
        ("bridge/devices", "attic description"), ("kitchen/lamp", "lamp state"),
        ("kitchen/lamp/availability", "lamp presence"), ("nobody", nil), ("bridge/event", nil),
    ])
    mutating func aSkippedMessageIsAProblemOfItsDevice(topic: String, problem: String?) {
        begin(.lamp)
        let told = model.skipped(BridgeTopic(topic), reason: "large").map { update in
            guard case .problem(let part, "large") = update.content else { return "\(update)" }
            return "\(update.device == lamp ? "lamp" : update.device.text) \(part.rawValue)"
        }
        #expect(told == [problem].compactMap(\.self))
        #expect(model.counters.malformedPayloads == 0)
        #expect(model.counters.oversizedMessages == (problem == nil ? 0 : 1))
        #expect(model.counters.droppedMessages == (problem == nil ? 1 : 0))
    }

    @Test mutating func aStateOfTooManyMembersIsNotPiledUp() {
        begin(.lamp)
        for number in 0..<2_000 { _ = hear("kitchen/lamp", #"{"m\#(number)":1}"#) }
        #expect(model.devices[lamp]?.state?.count ?? 0 <= ZigbeeDevice.memberLimit)
    }
}

extension DeviceUpdate {
    /// The name that a description gives.
    var name: String? { profile?.name }
    /// The commands that a description names.
    var commandNames: [String]? { profile?.commands.map(\.name.rawValue) }
    /// The reported problem, if there is one.
    var problem: String? {
        if case .problem(_, let reason) = content { reason } else { nil }
    }

    private var profile: DeviceProfile? {
        if case .description(let profile) = content { profile } else { nil }
    }
}
