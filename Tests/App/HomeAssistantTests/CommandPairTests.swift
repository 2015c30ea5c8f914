import Homeport
import Testing

@testable import HomeAssistant

@Suite struct CommandPairTests {
    private let topics = Devices.topics
    private var machine = BridgeStateMachine(Devices.topics)

    @Test(arguments: [
        (
            Devices.light,
            ["button toggle", "light state", "number set-effect-speed", "sensor linkquality"]
        ),
        (Devices.blind, ["cover state", "sensor linkquality"]),
        (Devices.gate, ["cover state", "sensor linkquality"]),
        (Devices.door, ["lock state", "select set-auto-lock", "sensor linkquality"]),
        (
            Devices.sockets,
            [
                "button reset", "select set-mode", "sensor linkquality", "switch set-led",
                "switch state_5fl1", "switch state_5fl2",
            ]
        ),
    ])
    func twoSettingsOfOneMemberAreOneEntity(profile: DeviceProfile, names: [String]) {
        let report = DeviceReport(state: [
            "state": "ON", "position": 7, "brightness": 9, "color_temp": 300, "linkquality": 80,
            "state_l1": true,
        ])
        let own = DeviceReport(
            state: report.state.filter { member, _ in
                member == "linkquality" || profile.commands.contains { $0.sets?.member == member }
            })
        #expect(DeviceEntities(profile, own).names == names)
    }

    @Test func theMainEntityHasTheNameOfTheDevice() {
        #expect(DeviceEntities(Devices.light, DeviceReport()).entity(.light, "state")?.name == nil)
        let sockets = DeviceEntities(Devices.sockets, DeviceReport())
        #expect(sockets.entity(.switch, "state_5fl1")?.name == "L1")
    }

    @Test(
        arguments: [
            (Devices.light, "light/state", "ON", "turn-on", [:]),
            (Devices.light, "light/state", "OFF", "turn-off", [:]),
            (
                Devices.light, "light/state__brightness", "128", "set-brightness",
                ["brightness": 128]
            ),
            (
                Devices.light, "light/state__color_temp", "250", "set-color-temp",
                ["color-temp": 250]
            ),
            (Devices.blind, "cover/state", "OPEN", "open", [:]),
            (Devices.blind, "cover/state", "CLOSE", "close", [:]),
            (Devices.blind, "cover/state", "STOP", "stop", [:]),
            (Devices.blind, "cover/state__position", "0", "set-position", ["position": 0]),
            (Devices.door, "lock/state", "LOCK", "lock", [:]),
            (Devices.door, "lock/state", "UNLOCK", "unlock", [:]),
            (Devices.sockets, "switch/state_5fl1", "ON", "turn-on-l1", [:]),
            (Devices.sockets, "switch/state_5fl2", "OFF", "turn-off-l2", [:]),
            (Devices.sockets, "switch/set-led", "OFF", "set-led", ["value": false]),
            (Devices.sockets, "select/set-mode", "2", "set-mode", ["value": 2]),
            (Devices.sockets, "button/reset", "PRESS", "reset", [:]),
        ] as [(DeviceProfile, String, String, String, JSONObject)])
    mutating func whatHomeAssistantSendsIsACommand(
        profile: DeviceProfile, entity: String, payload: String, command: String,
        arguments: JSONObject
    ) {
        _ = machine.changed(profile.id, profile, DeviceReport())
        let topic = "homeport/home-assistant/villa/\(profile.id)/\(entity)/set"
        #expect(
            machine.received(topic, Array(payload.utf8), retained: false)
                == [.send(CommandName(rawValue: command), arguments, to: profile.id)])
    }

    @Test(arguments: [
        (Devices.light, "light/state", "STOP"), (Devices.light, "light/state__brightness", "300"),
        (Devices.light, "light/state__brightness", "bright"), (Devices.gate, "cover/state", "STOP"),
        (Devices.gate, "cover/state__position", "3"), (Devices.door, "lock/state", "OPEN"),
        (Devices.sockets, "select/set-mode", "3"),
    ])
    mutating func whatTheDeviceDoesNotTakeIsReported(
        profile: DeviceProfile, entity: String, payload: String
    ) {
        _ = machine.changed(profile.id, profile, DeviceReport())
        let topic = "homeport/home-assistant/villa/\(profile.id)/\(entity)/set"
        let actions = machine.received(topic, Array(payload.utf8), retained: false)
        guard case .report = actions.first else {
            Issue.record("not refused: \(actions)")
            return
        }
    }

    @Test(
        arguments: [
            (Devices.light, ["state": "ON", "brightness": 9], "light", ["state": "ON"]),
            (Devices.light, ["brightness": 9], "light", ["state__brightness": 9]),
            (Devices.light, ["brightness": "x"], "light", ["state__brightness": nil]),
            (Devices.light, [:], "light", ["state": nil, "state__color_temp": nil]),
            (Devices.blind, ["position": 0], "cover", ["state__position": 0]),
            (Devices.gate, ["state": "OPEN"], "cover", ["state": "open"]),
            (Devices.gate, ["state": "CLOSE"], "cover", ["state": "closed"]),
            (Devices.gate, ["state": "STOP"], "cover", ["state": nil]),
            (Devices.door, ["state": "LOCK"], "lock", ["state": "LOCKED"]),
            (Devices.door, ["state": "UNLOCK"], "lock", ["state": "UNLOCKED"]),
            (Devices.sockets, ["state_l1": true], "switch", ["state_5fl1": "ON"]),
            (Devices.sockets, ["state_l1": false], "switch", ["state_5fl1": "OFF"]),
            (Devices.sockets, ["mode": 2], "select", ["set-mode": "2"]),
            (Devices.sockets, ["mode": 3], "select", ["set-mode": nil]),
            (Devices.sockets, ["led": true], "switch", ["set-led": "ON"]),
        ] as [(DeviceProfile, JSONObject, String, JSONObject)])
    func theStateIsInTheWordsOfHomeAssistant(
        profile: DeviceProfile, state: JSONObject, component: String, expected: JSONObject
    ) {
        let report = DeviceReport(state: state)
        let shown = BridgeDocument.state(
            DeviceEntities(profile, report), report, [:], of: profile.id, topics
        ).members[component]?.object
        for (key, value) in expected { #expect(shown?[key] == value, "\(key)") }
    }

    @Test func theDescriptionNamesWhatHomeAssistantNeeds() throws {
        let members = try described(Devices.light, .light)
        let base = "homeport/home-assistant/villa/light-1"
        #expect(members["command_topic"] == .string("\(base)/light/state/set"))
        #expect(members["state_topic"] == .string("\(base)/state"))
        #expect(members["brightness_scale"] == 254)
        #expect(
            members["brightness_command_topic"] == .string("\(base)/light/state__brightness/set"))
        #expect(members["min_mireds"] == 153)
        #expect(members["max_mireds"] == 500)
        #expect(members["value_template"] == nil)
        let blind = try described(Devices.blind, .cover)
        #expect(blind["payload_stop"] == "STOP")
        #expect(blind["position_open"] == 100)
        #expect(blind["position_closed"] == 0)
        #expect(blind["state_topic"] == nil)
        let gate = try described(Devices.gate, .cover)
        #expect(gate["payload_stop"] == .null)
        #expect(gate["state_topic"] != nil)
        #expect(try described(Devices.door, .lock)["payload_unlock"] == "UNLOCK")
    }

    private func described(
        _ profile: DeviceProfile, _ component: EntityComponent
    ) throws -> JSONObject {
        let entities = DeviceEntities(profile, DeviceReport())
        let entity = try #require(entities.entity(component, "state"))
        return BridgeDocument.discovery(entity, of: profile, topics).members
    }

    @Test func aBatteryIsOneSensor() {
        let report = DeviceReport(state: ["battery": 80, "batteryPercent": 80])
        let profile = Devices.profile("any", DeviceKind(rawValue: "sensor"), [])
        #expect(DeviceEntities(profile, report).names == ["sensor batteryPercent"])
    }

    @Test func aDeviceHasAtMost128Entities() {
        let members = (1...300).map { ("m\($0)", JSONValue.integer($0)) }
        let report = DeviceReport(telemetry: Dictionary(members) { $1 })
        #expect(DeviceEntities(Devices.light, report).all.count == 128)
        #expect(DeviceEntities(Devices.light, report).entity(.light, "state") != nil)
    }

    @Test mutating func aNumberForATextIsTheText() {
        let pin = Devices.profile(
            "pin-1", DeviceKind(rawValue: "lock"),
            [
                CommandSpecification(
                    name: CommandName(rawValue: "set-pin"),
                    arguments: .members(["value": ArgumentSchema(type: .string)]), sort: .setting)
            ])
        _ = machine.changed(pin.id, pin, DeviceReport())
        let payload = Array(#"{"command":"set-pin","value":1234}"#.utf8)
        #expect(
            machine.received(topics.send(to: pin.id), payload, retained: false)
                == [.send(CommandName(rawValue: "set-pin"), ["value": "1234"], to: pin.id)])
    }
}
