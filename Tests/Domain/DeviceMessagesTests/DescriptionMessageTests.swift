import DeviceDomain
import DeviceMessages
import Testing

@Suite struct DescriptionMessageTests {
    private func read(commands: String) throws -> [CommandSpecification] {
        let text = """
            {"v":1,"device":"robot-1","model":"m","kind":"k","name":"","firmware":"",\
            "capabilities":[],"commands":\(commands)}
            """
        return try DescriptionMessage(payload: Array(text.utf8)).commands
    }

    private func schema(_ json: String) throws -> ArgumentSchema? {
        try read(commands: "[{\"name\":\"n\",\"arguments\":\(json)}]").first?.arguments
    }

    private func error(commands: String) -> PayloadError? {
        #expect(throws: PayloadError.self) { try read(commands: commands) }
    }

    @Test func aBareNameSaysNothingOfItsArguments() throws {
        #expect(
            try read(commands: "[\"beep\",{\"name\":\"hum\"}]") == [
                .bare(CommandName(rawValue: "beep")), .bare(CommandName(rawValue: "hum")),
            ])
    }

    @Test func aBareNameHasTheSpecificationOfTheProtocolForItsKind() throws {
        func specifications(of kind: String) throws -> [CommandSpecification] {
            let text = """
                {"v":1,"device":"d-1","model":"m","kind":"\(kind)","name":"","firmware":"",\
                "capabilities":[],"commands":["locate","start-cleaning","beep"]}
                """
            let message = try DescriptionMessage(payload: Array(text.utf8))
            return message.profile(home: try HomeID("home-1")).commands
        }
        let robot = try specifications(of: "sweeping-robot")
        #expect(robot.map(\.sort) == [.instant, .action, .action])
        #expect(robot[1].arguments != nil)
        #expect(robot[2] == .bare(CommandName(rawValue: "beep")))
        // The protocol does not specify `start-cleaning` for an unknown kind.
        #expect(try specifications(of: "lamp")[1] == .bare(.startCleaning))
    }

    @Test(arguments: DeviceFactory.standard.models)
    func everyModelOfTheHouseSurvivesItsDescription(model: DeviceModel) throws {
        let device = try DeviceFactory.standard.makeDevice(
            model: model, id: DeviceID("d-1"), home: HomeID("home-1"), name: "D 1",
            firmware: "1.0")
        let message = DescriptionMessage(profile: device.profile)
        let read = try DescriptionMessage(payload: message.payload)
        #expect(read == message)
        #expect(read.profile(home: try HomeID("home-1")) == device.profile)
    }

    @Test func capabilitiesAreInTheOrderOfTheProtocol() throws {
        let profile = DeviceProfile(
            id: try DeviceID("d"), home: try HomeID("h"), kind: .poolRobot,
            model: DeviceModel(rawValue: "m"), name: "", firmware: "",
            capabilities: [
                .schedulable, .controllable, Capability(rawValue: "b"), .connectable,
                Capability(rawValue: "a"),
            ], commands: [])
        #expect(
            DescriptionMessage(profile: profile).capabilities.map(\.rawValue) == [
                "connectable", "controllable", "schedulable", "a", "b",
            ])
    }

    @Test(arguments: [
        ("\"fail-fast\"", OfflinePolicy.failFast), ("\"latest\"", .latest),
        ("\"barrier\"", .barrier), ("\"desired\"", .desired),
        ("\"expire\",\"expireAfterMs\":600000", .expire(after: .seconds(600))),
    ])
    func everyOfflinePolicyIsRead(json: String, policy: OfflinePolicy) throws {
        #expect(
            try read(commands: "[{\"name\":\"n\",\"offline\":\(json)}]").first?.offline == policy)
    }

    @Test(arguments: [
        ("[7]", "commands[0]"), ("{}", "commands"), ("[\"a\",{}]", "commands[1].name"),
        ("[{\"name\":null}]", "commands[0].name"),
        ("[{\"name\":\"n\",\"lane\":\"fast\"}]", "commands[0].lane"),
        ("[{\"name\":\"n\",\"sort\":null}]", "commands[0].sort"),
        ("[{\"name\":\"n\",\"undo\":1}]", "commands[0].undo"),
        ("[{\"name\":\"n\",\"offline\":\"expire\"}]", "commands[0].expireAfterMs"),
        (
            "[{\"name\":\"n\",\"offline\":\"expire\",\"expireAfterMs\":-1}]",
            "commands[0].expireAfterMs"
        ),
        ("[{\"name\":\"n\",\"needsIfRevision\":\"yes\"}]", "commands[0].needsIfRevision"),
        ("[{\"name\":\"n\",\"arguments\":null}]", "commands[0].arguments"),
        ("[{\"name\":\"n\",\"arguments\":{\"type\":\"thing\"}}]", "commands[0].arguments.type"),
        ("[{\"name\":\"n\",\"arguments\":{\"minimum\":\"1\"}}]", "commands[0].arguments.minimum"),
        (
            "[{\"name\":\"n\",\"arguments\":{\"required\":[1]}}]",
            "commands[0].arguments.required[0]"
        ),
        ("[{\"name\":\"n\",\"arguments\":{\"enum\":{}}}]", "commands[0].arguments.enum"),
        (
            "[{\"name\":\"n\",\"arguments\":{\"properties\":{\"a\":{\"items\":{\"maximum\":[]}}}}}]",
            "commands[0].arguments.properties.a.items.maximum"
        ),
    ])
    func aWrongCommandIsRefusedWithItsPath(commands: String, path: String) {
        #expect(error(commands: commands)?.path == path)
    }

    @Test func additionalMembersAreAllowedUnlessTheSchemaForbidsThem() throws {
        #expect(try schema("{}")?.allowsAdditionalProperties == true)
        #expect(try schema("{\"additionalProperties\":false}")?.allowsAdditionalProperties == false)
        #expect(try schema("{\"additionalProperties\":{\"type\":\"string\"}}") == ArgumentSchema())
    }

    @Test func whatTheSubsetCannotSayIsAllowed() throws {
        #expect(
            try schema("{\"$id\":\"x\",\"pattern\":\"^a\",\"exclusiveMinimum\":0,\"oneOf\":[{}]}")
                == ArgumentSchema())
        #expect(try schema("{\"type\":[\"string\",\"null\"]}") == ArgumentSchema())
        #expect(try schema("{\"properties\":{\"a\":true}}")?.properties["a"] == ArgumentSchema())
    }

    @Test func theSchemaFalseAllowsNothing() throws {
        let schema = try #require(try schema("{\"properties\":{\"a\":false}}"))
        #expect(throws: ArgumentViolation.self) { try schema.check(["a": 1]) }
        try schema.check([:])
    }
}
