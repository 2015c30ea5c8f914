import DeviceDomain
import DeviceMessages
import Testing

@testable import ZigbeeAdapter

@Suite struct ExposedCommandsTests {
    private func exposes(_ text: String) throws -> DeviceExposes {
        let value = try JSONReader.read(Array("[\(text)]".utf8))
        return DeviceExposes(try #require(value.array))
    }

    private func commands(_ text: String) throws -> DeviceCommands {
        DeviceCommands(try exposes(text))
    }

    private func command(_ name: String, of text: String) throws -> BridgeCommand {
        try #require(try commands(text)[CommandName(rawValue: name)])
    }

    @Test(arguments: [
        (Exposes.colorLight, "light"), (Exposes.plug, "plug"), (Exposes.twoSwitches, "switch"),
        (Exposes.cover, "cover"), (Exposes.lock, "lock"), (Exposes.climate, "climate"),
        (Exposes.fan, "fan"), (Exposes.sensor, "sensor"), (Exposes.remote, "sensor"),
        (Exposes.siren, "zigbee-device"), ("", "sensor"),
        ([Exposes.colorLight, Exposes.lock].exposes, "lock"),
        ([Exposes.childLock, Exposes.plug].exposes, "plug"),
        (Exposes.wallThermostat, "climate"),
        ([Exposes.awayMode, Exposes.climate].exposes, "climate"),
        ([Exposes.autoLock, Exposes.lock].exposes, "lock"),
        ([Exposes.autoLock, Exposes.sensor].exposes, "zigbee-device"),
        (Exposes.position, "cover"),
    ])
    func theKindIsTheClass(text: String, kind: String) throws {
        #expect(try exposes(text).kind.rawValue == kind)
    }

    @Test(arguments: [
        (
            Exposes.colorLight,
            [
                "turn-on", "turn-off", "toggle", "set-brightness", "set-color-temp", "set-color",
                "set-color-hs", "set-effect",
            ]
        ),
        (Exposes.colorHS.asLight, ["set-color"]),
        (Exposes.plug, ["turn-on", "turn-off", "toggle", "set-power-on-behavior"]),
        (
            Exposes.twoSwitches,
            ["turn-on-l1", "turn-off-l1", "toggle-l1", "turn-on-l2", "turn-off-l2"]
        ),
        (Exposes.cover, ["open", "close", "stop", "set-position"]),
        (Exposes.lock, ["lock", "unlock"]),
        (Exposes.climate, ["set-occupied-heating-setpoint", "set-system-mode"]),
        (Exposes.fan, ["turn-on", "turn-off", "set-fan-mode"]),
        (
            [Exposes.fan, Exposes.feature("light", "state", on: "ON", off: "OFF")].exposes,
            ["set-fan-state", "set-fan-mode", "turn-on", "turn-off"]
        ),
        (Exposes.sensor, ["set-temperature-calibration"]),
        (Exposes.remote, []),
        (Exposes.siren, ["set-warning", "set-alarm"]),
        (
            [Exposes.childLock, Exposes.plug].exposes,
            ["set-child-lock", "turn-on", "turn-off", "toggle", "set-power-on-behavior"]
        ),
        (Exposes.wallThermostat, ["set-child-lock", "set-current-heating-setpoint"]),
        (
            [Exposes.awayMode, Exposes.antiScaling, Exposes.childLock].exposes,
            ["set-away-mode", "set-anti-scaling", "set-child-lock"]
        ),
        ([Exposes.lock, Exposes.autoLock].exposes, ["lock", "unlock", "set-auto-lock"]),
        (Exposes.alike, ["set-led-mode", "set-led-mode-2"]),
    ])
    func everySettableFeatureHasItsCommands(text: String, names: [String]) throws {
        let commands = try commands(text)
        #expect(commands.all.map(\.specification.name.rawValue) == names)
        #expect(commands.omissions.isEmpty)
    }

    @Test(
        arguments: [
            (Exposes.colorLight, "turn-on", [:], #"{"state":"ON"}"#),
            (Exposes.colorLight, "toggle", [:], #"{"state":"TOGGLE"}"#),
            (Exposes.colorLight, "set-brightness", ["brightness": 10], #"{"brightness":10}"#),
            (Exposes.colorLight, "set-color-temp", ["color-temp": 370], #"{"color_temp":370}"#),
            (
                Exposes.colorLight, "set-color", ["x": 0.5, "y": 0.25],
                #"{"color":{"x":0.5,"y":0.25}}"#
            ),
            (
                Exposes.colorLight, "set-color-hs", ["hue": 120, "saturation": 50],
                #"{"color":{"hue":120,"saturation":50}}"#
            ),
            (Exposes.twoSwitches, "turn-off-l2", [:], #"{"state_l2":"OFF"}"#),
            (Exposes.cover, "set-position", ["position": 30], #"{"position":30}"#),
            (Exposes.lock, "unlock", [:], #"{"state":"UNLOCK"}"#),
            (Exposes.fan, "turn-on", [:], #"{"fan_state":"ON"}"#),
            (
                Exposes.climate, "set-occupied-heating-setpoint", ["value": 21.5],
                #"{"occupied_heating_setpoint":21.5}"#
            ),
            (Exposes.siren, "set-alarm", ["value": true], #"{"alarm":true}"#),
            (Exposes.autoLock, "set-auto-lock", ["value": "MANUAL"], #"{"auto_lock":"MANUAL"}"#),
            (Exposes.alike, "set-led-mode-2", ["value": "b"], #"{"led-mode":"b"}"#),
            (
                Exposes.startup, "set-color-temp-startup", ["value": "previous"],
                #"{"color_temp_startup":65535}"#
            ),
            (
                Exposes.startup, "set-color-temp-startup", ["value": 65535],
                #"{"color_temp_startup":65535}"#
            ),
            (
                Exposes.levelConfig, "set-level-config",
                ["value": ["current_level_startup": "previous"]],
                #"{"level_config":{"current_level_startup":"previous"}}"#
            ),
        ] as [(String, String, JSONObject, String)])
    func aCommandSetsItsProperty(
        text: String, name: String, arguments: JSONObject, payload: String
    ) throws {
        let command = try command(name, of: text)
        try command.specification.arguments?.check(arguments)
        let set = try #require(command.payload(arguments))
        #expect(String(decoding: JSONWriter.write(.object(set)), as: UTF8.self) == payload)
    }

    @Test(
        arguments: [
            (Exposes.colorLight, "set-brightness", ["brightness": 0]),
            (Exposes.colorLight, "set-brightness", ["brightness": 255]),
            (Exposes.colorLight, "set-brightness", ["brightness": "full"]),
            (Exposes.colorLight, "set-brightness", [:]),
            (Exposes.colorLight, "set-color-temp", ["color-temp": 501]),
            (Exposes.colorLight, "set-color", ["x": 1.5, "y": 0]),
            (Exposes.colorLight, "set-color", ["x": 0.5]),
            (Exposes.colorLight, "turn-on", ["value": 1]),
            (Exposes.climate, "set-system-mode", ["value": "cool"]),
            (Exposes.siren, "set-alarm", ["value": "ON"]),
            (Exposes.startup, "set-color-temp-startup", ["value": 501]),
            (Exposes.startup, "set-color-temp-startup", ["value": "warm"]),
            (
                Exposes.levelConfig, "set-level-config",
                ["value": ["current_level_startup": 255]]
            ),
        ] as [(String, String, JSONObject)])
    func whatTheDeviceDoesNotTakeIsRefusedBeforehand(
        text: String, name: String, arguments: JSONObject
    ) throws {
        let schema = try #require(try command(name, of: text).specification.arguments)
        #expect(throws: ArgumentViolation.self) { try schema.check(arguments) }
    }

    @Test(
        arguments: [
            (Exposes.colorLight, "turn-on", CommandSort.setting, #"{"state":""}"#),
            (Exposes.colorLight, "toggle", .instant, nil),
            (Exposes.colorLight, "set-effect", .instant, nil),
            (Exposes.colorLight, "set-color", .setting, #"{"color":{"x":"","y":""}}"#),
            (Exposes.cover, "open", .setting, #"{"position":""}"#),
            (Exposes.cover, "stop", .instant, nil),
            (Exposes.twoSwitches, "turn-on-l1", .setting, #"{"state_l1":""}"#),
            (Exposes.siren, "set-warning", .instant, nil),
            (Exposes.siren, "set-alarm", .setting, nil),
            (Exposes.wallThermostat, "set-child-lock", .setting, nil),
        ] as [(String, String, CommandSort, String?)])
    func whatTheStateShowsIsASetting(
        text: String, name: String, sort: CommandSort, question: String?
    ) throws {
        let command = try command(name, of: text)
        #expect(command.specification.sort == sort)
        let asked = command.expectation(["x": 0, "y": 0, "value": 0])?.question
        #expect(
            asked.map { String(decoding: JSONWriter.write(.object($0)), as: UTF8.self) } == question
        )
    }

    @Test(
        arguments: [
            ("set-brightness", ["brightness": 100], 101, true),
            ("set-brightness", ["brightness": 100], 102, false),
            ("set-color", ["x": 0.3, "y": 0.4], ["x": 0.305, "y": 0.4, "hue": 7], true),
            ("set-color", ["x": 0.3, "y": 0.4], ["x": 0.35, "y": 0.4], false),
            ("set-color", ["x": 0.3, "y": 0.4], ["hue": 7], false),
            ("turn-on", [:], "ON", true),
            ("turn-on", [:], "OFF", false),
            ("turn-on", [:], nil, false),
        ] as [(String, JSONObject, JSONValue, Bool)])
    func aValueIsTheWantedOneWithinTheDevicesSteps(
        name: String, arguments: JSONObject, reported: JSONValue, isMet: Bool
    ) throws {
        let expectation = try command(name, of: Exposes.colorLight).expectation(arguments)
        #expect(expectation?.isMet(by: reported) == isMet)
    }

    @Test func aStepGivesTheTolerance() throws {
        let set = try command("set-occupied-heating-setpoint", of: Exposes.climate)
        let expectation = try #require(set.expectation(["value": 21.3]))
        #expect(expectation.isMet(by: 21.5))
        #expect(!expectation.isMet(by: 22))
    }

    @Test func anOpenedCoverIsAtItsEnd() throws {
        let open = try #require(try command("open", of: Exposes.cover).expectation([:]))
        #expect(open.isMet(by: 100))
        #expect(!open.isMet(by: 40))
        #expect(open.proof.isSlow)
        let close = try #require(try command("close", of: Exposes.cover).expectation([:]))
        #expect(close.isMet(by: 0))
    }

    @Test func stopIsUrgent() throws {
        #expect(try command("stop", of: Exposes.cover).specification.lane == .urgent)
    }

    @Test func whatCannotBeNamedIsLeftOut() throws {
        let commands = try commands(
            """
            {"type":"text","name":"ä","property":"ä","access":2},\(Exposes.effect),\(Exposes.effect)
            """)
        #expect(commands.all.map(\.specification.name.rawValue) == ["set-effect"])
        #expect(commands.omissions.count == 2)
    }

    @Test func entriesThatSayTooLittleAreCounted() throws {
        let exposes = try exposes(
            #"7,{"type":"binary","property":"a"},{"type":"moon"},{"type":"enum","property":"b"},{}"#
        )
        #expect(exposes.unreadable == 5)
        #expect(exposes.features.isEmpty)
    }
}

extension String {
    /// A feature as the only one of a light.
    fileprivate var asLight: String { #"{"type":"light","features":[\#(self)]}"# }
}

extension Exposes {
    /// A blind that tells only its position.
    fileprivate static let position = """
        {"type":"cover","features":[{"type":"numeric","name":"position","property":"position",\
        "access":7,"value_min":0,"value_max":100}]}
        """
    /// Two properties whose commands would have one name.
    fileprivate static let alike = """
        {"type":"enum","name":"led_mode","property":"led_mode","access":2,"values":["a"]},\
        {"type":"enum","name":"led-mode","property":"led-mode","access":2,"values":["b"]}
        """
}

extension [String] {
    /// Several features as those of one device.
    fileprivate var exposes: String { joined(separator: ",") }
}
