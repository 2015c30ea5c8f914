import Alink
import DeviceDomain
import Testing

@Suite struct ThingModelTests {
    @Test func everyTypeIsRead() throws {
        let model = try ThingModelSamples.product().model
        #expect(model.properties.count == 9)
        #expect(
            model.property("WorkMode")?.type
                == .choice([
                    ThingChoice(number: 0, text: "quiet"), ThingChoice(number: 1, text: "normal"),
                    ThingChoice(number: 2, text: "turbo"),
                ]))
        #expect(model.property("target_temp")?.type == .real(minimum: 5, maximum: 35.5, step: 0.5))
        #expect(model.property("label")?.type == .text(longest: 8))
        #expect(model.property("battery")?.isSettable == false)
        #expect(model.services.map(\.identifier) == ["StartClean", "locate"])
        #expect(model.service("locate")?.isSynchronous == true)
        #expect(model.events.map { $0.eventName?.text } == ["brush-stuck"])
        #expect(model.event("BrushStuck")?.severity == .alert)
    }

    @Test func whatCannotBeReadIsNamedAndLeftOut() throws {
        let model = try ThingModelSamples.product().model
        #expect(model.omissions == ["property odd: its type quaternion is not known"])
    }

    @Test(arguments: ["[]", "{}", "{\"properties\":1}", "{", "\"text\""])
    func whatIsNoModelIsRefused(_ text: String) {
        #expect(throws: ThingModelError.self) { try ThingModel(Array(text.utf8)) }
    }

    @Test func otherBlocksHaveTheirNameBeforeTheIdentifier() throws {
        let model = try ThingModel(
            Array(
                """
                {"properties":[],"functionBlocks":[{"functionBlockId":"light","properties":[
                 {"identifier":"On","accessMode":"rw","dataType":{"type":"bool"}}]}]}
                """.utf8))
        #expect(model.properties.map(\.identifier) == ["light:On"])
        #expect(ThingCommands(model).all.map(\.specification.name) == ["set-light-on"])
    }

    @Test func textsOfAnEnumerationThatAreNotUniqueGiveWayToNumbers() throws {
        let model = try ThingModel(
            Array(
                """
                {"properties":[{"identifier":"m","accessMode":"rw","dataType":{"type":"enum",
                 "specs":{"0":"a","1":"b","2":"b","3":""}}}]}
                """.utf8))
        #expect(
            model.property("m")?.type.schema.allowed
                == [.string("a"), .string("1"), .string("2"), .string("3")])
    }

    @Test func commandsComeFromPropertiesAndServices() throws {
        let product = try ThingModelSamples.product()
        #expect(
            product.commands.all.map(\.specification.name.rawValue) == [
                "set-power", "set-work-mode", "set-suction", "set-target-temp", "set-label",
                "set-hsv", "set-rooms", "start-clean", "locate",
            ])
        let set = try #require(product.commands["set-work-mode"])
        #expect(set.specification.sort == .setting)
        #expect(set.specification.sets == StateTarget(member: "WorkMode"))
        #expect(set.parameters(["WorkMode": "turbo"]) == #"{"WorkMode":2}"#)
        let call = try #require(product.commands["start-clean"])
        #expect(call.effect == nil)
        #expect(call.parameters(["room": 4]) == #"{"room":4}"#)
        #expect(call.parameters(["room": 4, "deep": true]) == #"{"room":4,"deep":1}"#)
        #expect(product.commands["locate"]?.parameters([:]) == "{}")
    }

    @Test(
        arguments: [
            ("set-power", ["power": "on"]), ("set-work-mode", ["WorkMode": 1]),
            ("set-work-mode", ["WorkMode": "fast"]), ("set-suction", ["suction": 5]),
            ("set-suction", ["suction": 1.5]), ("set-target-temp", ["target_temp": 36]),
            ("set-label", ["label": "厨房厨房"]), ("set-rooms", ["rooms": [1, 2, 3, 4]]),
            ("set-hsv", ["HSV": ["Hue": 361, "Value": 1]]), ("set-hsv", ["HSV": ["Hue": 3]]),
            ("start-clean", [:]), ("start-clean", ["room": 0]), ("locate", ["room": 1]),
        ] as [(String, JSONObject)])
    func argumentsBeyondTheModelAreRefused(_ command: String, _ arguments: JSONObject) throws {
        let product = try ThingModelSamples.product()
        let schema = try #require(
            product.commands[CommandName(rawValue: command)]?.specification.arguments)
        #expect(throws: ArgumentViolation.self) { try schema.check(arguments) }
    }

    @Test(
        arguments: [
            ("set-power", ["power": true]), ("set-work-mode", ["WorkMode": "quiet"]),
            ("set-target-temp", ["target_temp": 35.5]), ("set-label", ["label": "厨房"]),
            ("set-rooms", ["rooms": [1, 2, 3]]), ("set-hsv", ["HSV": ["Hue": 360, "Value": 0.5]]),
        ] as [(String, JSONObject)])
    func argumentsWithinTheModelAreTaken(_ command: String, _ arguments: JSONObject) throws {
        let product = try ThingModelSamples.product()
        let specification = try #require(product.commands[CommandName(rawValue: command)])
        try specification.specification.arguments?.check(arguments)
        #expect(specification.parameters(arguments) != nil)
    }

    @Test func theProfileHasNameModelAndCommands() throws {
        let product = try ThingModelSamples.product()
        let device = try #require(ThingName(product: product.key, device: "vac-000001"))
        let profile = product.profile(of: device, in: .literal("villa"), nickname: "Robbie")
        #expect(profile.kind.rawValue == "alink-device")
        #expect(profile.model.rawValue == "a1B2c3D4e5F")
        #expect(profile.name == "Robbie")
        #expect(profile.id == device.deviceID)
        #expect(profile.commands.count == 9)
        #expect(profile.stateMembers?.contains("battery") == true)
        #expect(product.profile(of: device, in: .literal("villa")).name == "vac-000001")
    }
}
