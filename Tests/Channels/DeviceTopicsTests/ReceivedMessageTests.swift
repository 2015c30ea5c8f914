import DeviceDomain
import DeviceMessages
import DeviceTopics
import MQTTClient
import Testing

@Suite struct ReceivedMessageTests {
    private func receive(_ levels: String, _ text: String) throws -> ReceivedMessage {
        try ReceivedMessage(topic: "homeport/v1/home-1/\(levels)", payload: Array(text.utf8))
    }

    private func error(_ levels: String, _ text: String) -> ReceptionError? {
        #expect(throws: ReceptionError.self) { try receive(levels, text) }
    }

    private let presence =
        "{\"v\":1,\"device\":\"robot-1\",\"status\":\"online\",\"boot\":\"b7\",\"at\":1}"
    private let event =
        "{\"v\":1,\"device\":\"robot-1\",\"boot\":\"b7\",\"id\":\"018f3c20-7b9a-7c2e-9d5e-3a1f0c9b7e11\","
        + "\"at\":1,\"event\":\"stuck\",\"detail\":{}}"

    @Test func aMessageIsReadByItsTopic() throws {
        let received = try receive("robot-1/presence", presence)
        #expect(received.home.text == "home-1")
        #expect(received.device?.text == "robot-1")
        guard case .presence(let message) = received.content else {
            Issue.record("\(received.content)")
            return
        }
        #expect(message.report.status == .online)
    }

    @Test func theTopicsDeviceMustBeThePayloads() throws {
        let other = try DeviceID("robot-1")
        let topic = try DeviceTopic("homeport/v1/home-1/robot-2/presence")
        #expect(error("robot-2/presence", presence) == .otherDevice(topic, named: other))
    }

    @Test func theTopicsEventMustBeThePayloads() throws {
        _ = try receive("robot-1/event/stuck", event)
        let topic = try DeviceTopic("homeport/v1/home-1/robot-1/event/docked")
        #expect(
            error("robot-1/event/docked", event)
                == .otherEvent(topic, named: try EventName("stuck")))
    }

    @Test(arguments: [
        "description", "presence", "state", "telemetry", "event/stuck", "command",
        "command/urgent", "ack/ctl", "desired",
    ])
    func anEmptyPayloadIsToldApart(levels: String) throws {
        let topic = try DeviceTopic("homeport/v1/home-1/robot-1/\(levels)")
        #expect(error("robot-1/\(levels)", "") == .empty(topic))
    }

    @Test(arguments: [
        "description", "presence", "state", "telemetry", "event/stuck", "ack/ctl", "desired",
    ])
    func aWrongPayloadIsATypedError(levels: String) throws {
        for text in ["{", "[]", "{\"v\":2}", "{\"v\":1}", "null"] {
            guard case .payload(let topic, _) = error("robot-1/\(levels)", text) else {
                Issue.record("\(levels) took \(text)")
                return
            }
            #expect(topic.text.hasSuffix(levels))
        }
    }

    @Test func theBytesOfACommandAreLeftToItsDevice() throws {
        let received = try receive("robot-1/command/urgent", "not JSON")
        #expect(received.content == .command(payload: Array("not JSON".utf8), .urgent))
    }

    @Test func anAckKeepsTheControllerOfItsTopic() throws {
        let ack = AckMessage(
            id: try #require(CommandID("018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11")),
            device: try DeviceID("robot-1"), boot: try BootID("b1"), n: 1, stage: .accepted,
            revision: 0, executions: 0, at: Timestamp(milliseconds: 0))
        let sent = MQTTMessage.ack(
            ack, home: try HomeID("home-1"), controller: try ControllerID("ctl"))
        let received = try ReceivedMessage(topic: sent.topic.rawValue, payload: sent.payload)
        #expect(received.content == .ack(ack, try ControllerID("ctl")))
    }

    @Test func aForeignTopicIsRefused() {
        guard case .topic = error("robot-1/other", "{}") else {
            Issue.record("the topic was taken")
            return
        }
    }
}
