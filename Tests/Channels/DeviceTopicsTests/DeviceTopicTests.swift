import DeviceDomain
import DeviceTopics
import MQTTClient
import Testing

@Suite struct DeviceTopicTests {
    /// Every row of PROTOCOL section 1: its text, quality of service and retain flag.
    private static let rows: [(text: String, qos: UInt8, isRetained: Bool)] = [
        ("homeport/v1/home-1/robot-1/description", 1, true),
        ("homeport/v1/home-1/robot-1/presence", 1, true),
        ("homeport/v1/home-1/robot-1/state", 1, true),
        ("homeport/v1/home-1/robot-1/telemetry", 0, false),
        ("homeport/v1/home-1/robot-1/event/stuck", 1, false),
        ("homeport/v1/home-1/robot-1/command", 1, false),
        ("homeport/v1/home-1/robot-1/command/urgent", 1, false),
        ("homeport/v1/home-1/robot-1/ack/ctl-home", 1, false),
        ("homeport/v1/home-1/robot-1/desired", 1, true),
        ("homeport/v1/home-1/hello", 1, false),
        ("homeport/v1/home-1/fence", 0, false),
    ]

    @Test(arguments: rows)
    func everyRowIsParsedAndBuilt(text: String, qos: UInt8, isRetained: Bool) throws {
        let topic = try DeviceTopic(text)
        #expect(topic.text == text)
        #expect(topic.qos.rawValue == qos)
        #expect(topic.isRetained == isRetained)
        #expect(topic.home.text == "home-1")
        #expect(topic.device?.text == (text.contains("robot-1") ? "robot-1" : nil))
    }

    @Test func theRowsAreDifferentTopics() throws {
        #expect(Set(try Self.rows.map { try DeviceTopic($0.text) }).count == 11)
    }

    @Test func theLevelsGoWhereTheyBelong() throws {
        let home = try HomeID("home-1")
        let device = try DeviceID("robot-1")
        #expect(
            try DeviceTopic("homeport/v1/home-1/robot-1/command/urgent")
                == .command(home, device, .urgent))
        #expect(
            try DeviceTopic("homeport/v1/home-1/robot-1/ack/ctl")
                == .ack(home, device, ControllerID("ctl")))
        #expect(
            try DeviceTopic("homeport/v1/home-1/robot-1/event/e-1")
                == .event(home, device, EventName("e-1")))
    }

    @Test func aDeviceMayBeNamedLikeATopicOfTheHome() throws {
        #expect(try DeviceTopic("homeport/v1/hello/fence/state").device?.text == "fence")
    }

    @Test(arguments: [
        "", "/", "homeport", "homeport/v1", "homeport/v1/home-1", "homeport/v2/home-1/hello",
        "Homeport/v1/home-1/hello", "/homeport/v1/home-1/hello", "other/v1/home-1/d/state",
        "homeport/v1/home-1/", "homeport/v1/home-1/state", "homeport/v1/home-1/hello/",
        "homeport/v1/home-1/d/", "homeport/v1/home-1/d/state/", "homeport/v1/home-1/d/state/x",
        "homeport/v1/home-1/d/event", "homeport/v1/home-1/d/event/a/b", "homeport/v1/home-1/d/ack",
        "homeport/v1/home-1/d/ack/c/x", "homeport/v1/home-1/d/command/fast",
        "homeport/v1/home-1/d/command/urgent/x", "homeport/v1/home-1/d/commands",
        "homeport/v1//d/state", "homeport/v1/home-1//state", "homeport/v1/+/d/state",
        "homeport/v1/home-1/+/state", "homeport/v1/home-1/d/#", "homeport/v1/home-1/#",
        "homeport/v1/Home/d/state", "homeport/v1/home-1/d ä/state", "homeport/v1/home-1/d\0/state",
        "homeport/v1/home-1/d/event/+", "homeport/v1/home-1/d/event/1st",
        "homeport/v1/home-1/d/ack/CTL", "homeport/v1/-home/d/state",
        "$share/g/homeport/v1/home-1/d/state",
    ])
    func otherTopicsAreRefused(text: String) {
        let error = #expect(throws: TopicError.self) { try DeviceTopic(text) }
        #expect(error?.description.contains("topic") == true)
    }

    @Test func aBadIdentifierIsNamed() {
        let error = #expect(throws: TopicError.self) {
            try DeviceTopic("homeport/v1/home-1/UPPER/state")
        }
        #expect(error?.description.contains("device id \"UPPER\" is not valid") == true)
    }
}
