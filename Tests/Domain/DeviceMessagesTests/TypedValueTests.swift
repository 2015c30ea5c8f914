import DeviceDomain
import DeviceMessages
import Testing

@Suite struct TypedValueTests {
    @Test(arguments: [
        ("max", JSONValue.string("max")), ("\"max\"", .string("max")), ("[3,5]", .array([3, 5])),
        ("80", .number(80)), ("-1.5", .number(-1.5)), ("true", .boolean(true)), ("null", .null),
        ("", .string("")), ("09:30", .string("09:30")), ("007", .string("007")),
        ("1e999", .string("1e999")), ("{\"a\":1,\"a\":2}", .string("{\"a\":1,\"a\":2}")),
        ("[{\"weekday\":1}]", .array([.object(["weekday": 1])])),
    ])
    func whereNothingIsKnownItIsJSONIfItParses(text: String, value: JSONValue) {
        #expect(ArgumentSchema().value(typed: text) == value)
    }

    @Test(arguments: ["1234", "1.0", "1e3", "true", "null", "[1]", "{}", "007", "a b"])
    func aTextIsWhatWasTyped(text: String) {
        #expect(ArgumentSchema(type: .string).value(typed: text) == .string(text))
    }

    @Test func aTextInQuotesIsWhatTheyEnclose() {
        #expect(ArgumentSchema(type: .string).value(typed: #""30""#) == "30")
    }

    @Test(
        arguments: [
            (["10", "30"], "30", "30"), ([10, 30], "30", 30), ([true, false], "true", true),
            (["true", "false"], "true", "true"), ([30, "30"], "30", 30), (["10"], "7", 7),
            ([.null, "null"], "null", .null),
        ] as [([JSONValue], String, JSONValue)])
    func aChoiceIsWhatTheDeviceOffers(allowed: [JSONValue], text: String, value: JSONValue) {
        #expect(ArgumentSchema(allowed: allowed).value(typed: text) == value)
    }

    @Test(
        arguments: [
            (#"{"code":1234,"n":5}"#, .object(["code": "1234", "n": 5])),
            (#"{"code":true,"x":true}"#, .object(["code": "true", "x": true])),
            (#"{"code":1.50}"#, .object(["code": 1.5])),
            (#"{"list":[1,"a",null]}"#, .object(["list": ["1", "a", "null"]])),
        ] as [(String, JSONValue)])
    func partsOfAnObjectAreReadAsTyped(text: String, value: JSONValue) {
        let word = ArgumentSchema(type: .string)
        let schema = ArgumentSchema(
            type: .object,
            properties: ["code": word, "n": .integer(1...7), "list": .array(of: word)])
        #expect(schema.value(typed: text) == value)
    }

    @Test func aPresetMayBeNamed() {
        let schema = ArgumentSchema(
            type: .number, minimum: 1, maximum: 254,
            presets: [.init(name: "previous", value: 255), .init(name: "1000", value: "max")])
        #expect(schema.value(typed: "previous") == "previous")
        #expect(schema.value(typed: "1000") == "1000")
        #expect(schema.value(typed: "300") == 300)
    }

    @Test func presetsAndTargetsTravelWithTheDescription() throws {
        let schema = ArgumentSchema(
            type: .number, presets: [.init(name: "previous", value: 65535)])
        let profile = DeviceProfile(
            id: try DeviceID("lamp-1"), home: try HomeID("home-1"),
            kind: DeviceKind(rawValue: "light"), model: DeviceModel(rawValue: "m"), name: "L",
            firmware: "", capabilities: [],
            commands: [
                CommandSpecification(
                    name: CommandName(rawValue: "set-x"), arguments: .members(["value": schema]),
                    sort: .setting, sets: StateTarget(member: "x")),
                CommandSpecification(
                    name: CommandName(rawValue: "on"), arguments: .nothing, sort: .setting,
                    sets: StateTarget(member: "x", value: 1)),
            ])
        let text = DescriptionMessage(profile: profile).payload
        #expect(
            try DescriptionMessage(payload: text).profile(home: try HomeID("home-1")).commands
                == profile.commands)
    }
}
