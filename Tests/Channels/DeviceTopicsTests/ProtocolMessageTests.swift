import DeviceDomain
import DeviceMessages
import DeviceTopics
import MQTTClient
import Testing

@Suite struct ProtocolMessageTests {
    private let home: HomeID
    private let device: DeviceID
    private let controller: ControllerID
    private let id: CommandID

    init() throws {
        home = try HomeID("home-1")
        device = try DeviceID("robot-1")
        controller = try ControllerID("ctl")
        id = try #require(CommandID("018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11"))
    }

    private func command(
        expiresIn milliseconds: Int = 30_000, traceparent: String? = nil
    ) -> MQTTMessage {
        let now = Timestamp(milliseconds: 1_764_000_000_000)
        return .command(
            [0x7B, 0x7D], lane: .urgent, home: home, device: device, controller: controller,
            id: id, expiresAt: now.advanced(by: .milliseconds(milliseconds)), now: now,
            attempt: 3, traceparent: traceparent)
    }

    @Test func aCommandSaysWhereItsAckIsWanted() {
        let message = command(traceparent: "00-a-b-01")
        #expect(message.topic.rawValue == "homeport/v1/home-1/robot-1/command/urgent")
        #expect(message.payload == [0x7B, 0x7D])
        #expect(message.properties.responseTopic?.rawValue == "homeport/v1/home-1/robot-1/ack/ctl")
        #expect(message.properties.correlationData == id.bytes)
        #expect(message.properties.contentType == "application/json")
        #expect(message.properties.isUTF8 == true)
        #expect(
            message.properties.userProperties == [
                MQTTProperties.UserProperty(name: "attempt", value: "3"),
                MQTTProperties.UserProperty(name: "traceparent", value: "00-a-b-01"),
            ])
    }

    @Test func withoutATraceTheCommandIsOneAndEachSendASpan() {
        #expect(
            command().properties.userProperties.last
                == MQTTProperties.UserProperty(
                    name: "traceparent",
                    value: "00-018f3c1e7b9a7c2e9d5e3a1f0c9b7e11-9d5e3a1f0c9b7e14-00"))
    }

    @Test(arguments: [
        (1, 1), (999, 1), (1_000, 1), (1_001, 2), (30_000, 30), (29_001, 30),
        (86_400_000, 86_400), (0, 1), (-5_000, 1),
    ])
    func theMessageExpiresInWholeSecondsRoundedUp(milliseconds: Int, seconds: UInt32) {
        #expect(command(expiresIn: milliseconds).properties.messageExpirySeconds == seconds)
    }

    @Test func anAckCopiesTheCorrelationData() throws {
        let ack = AckMessage(
            id: id, device: device, boot: try BootID("b1"), n: 1, stage: .accepted, revision: 0,
            executions: 0, at: Timestamp(milliseconds: 0))
        let plain = MQTTMessage.ack(ack, home: home, controller: controller)
        #expect(plain.topic.rawValue == "homeport/v1/home-1/robot-1/ack/ctl")
        #expect(plain.properties.correlationData == id.bytes)
        #expect(plain.properties.contentType == "application/json")
        #expect(plain.properties.isUTF8 == true)
        #expect(plain.properties.messageExpirySeconds == nil)
        #expect(plain.properties.responseTopic == nil)
    }

    @Test func whatADeviceRetainsIsRemovedByEmptyRetainedMessages() {
        let removals = DeviceTopic.retained(of: device, in: home).map(MQTTMessage.removal)
        #expect(removals.allSatisfy { $0.payload.isEmpty && $0.retain && $0.qos == .atLeastOnce })
        let levels = ["description", "state", "presence", "desired"]
        #expect(
            removals.map(\.topic.rawValue) == levels.map { "homeport/v1/home-1/robot-1/\($0)" })
        #expect(
            DeviceTopic.retained(by: device, in: home).map(\.text)
                == removals.dropLast().map(\.topic.rawValue))
    }

    @Test func theLongestIdentifiersMakeAValidTopic() throws {
        let longest = String(repeating: "a", count: 63)
        let topic = MQTTTopic(
            .ack(try HomeID(longest), try DeviceID(longest), try ControllerID(longest)))
        #expect(try MQTTTopic(topic.rawValue) == topic)
    }

    @Test func everyOtherMessageHasItsOwnTopicAndNoProperties() throws {
        let boot = try BootID("b1")
        let at = Timestamp(milliseconds: 1)
        let messages: [(MQTTMessage, String)] = [
            (
                .presence(
                    PresenceMessage(
                        device: device, report: PresenceReport(status: .online, boot: boot, at: at)),
                    home: home), "robot-1/presence"
            ),
            (
                .state(
                    StateMessage(
                        device: device, boot: boot, revision: 1, at: at, by: nil, state: [:]),
                    home: home), "robot-1/state"
            ),
            (
                .telemetry(
                    TelemetryMessage(device: device, boot: boot, at: at, n: 1, values: [:])
                        .payload, home: home, device: device), "robot-1/telemetry"
            ),
            (
                .desired(
                    DesiredMessage(device: device, revision: 1, at: at, settings: [:]), home: home),
                "robot-1/desired"
            ),
            (.hello(HelloMessage(nonce: "n", spread: .zero), home: home), "hello"),
            (.fence(FenceMessage(nonce: "n"), home: home), "fence"),
        ]
        for (message, levels) in messages {
            #expect(message.topic.rawValue == "homeport/v1/home-1/\(levels)")
            #expect(message.properties == .none)
            let received = try ReceivedMessage(
                topic: message.topic.rawValue, payload: message.payload)
            #expect(
                MQTTTopic(received.topic) == message.topic
                    && received.topic.qos == message.qos
                    && received.topic.isRetained == message.retain)
        }
    }
}
