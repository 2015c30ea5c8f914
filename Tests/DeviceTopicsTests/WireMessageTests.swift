import DeviceDomain
import DeviceMessages
import DeviceTopics
import Testing

@Suite struct WireMessageTests {
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
    ) -> WireMessage {
        let now = Timestamp(milliseconds: 1_764_000_000_000)
        return .command(
            [0x7B, 0x7D], lane: .urgent, home: home, device: device, controller: controller,
            id: id, expiresAt: now.advanced(by: .milliseconds(milliseconds)), now: now,
            attempt: 3, traceparent: traceparent)
    }

    @Test func aCommandSaysWhereItsAckIsWanted() {
        let message = command(traceparent: "00-a-b-01")
        #expect(message.topic == .command(home, device, .urgent))
        #expect(message.payload == [0x7B, 0x7D])
        #expect(message.properties.responseTopic == "homeport/v1/home-1/robot-1/ack/ctl")
        #expect(message.properties.correlationData == id.bytes)
        #expect(message.properties.contentType == "application/json")
        #expect(message.properties.isUTF8 == true)
        #expect(
            message.properties.userProperties == [
                UserProperty(name: "attempt", value: "3"),
                UserProperty(name: "traceparent", value: "00-a-b-01"),
            ])
    }

    @Test func withoutATraceTheCommandIsOneAndEachSendASpan() {
        #expect(
            command().properties.userProperties.last
                == UserProperty(
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
        let plain = WireMessage.ack(ack, home: home, controller: controller)
        #expect(plain.topic.text == "homeport/v1/home-1/robot-1/ack/ctl")
        #expect(plain.properties.correlationData == id.bytes)
        #expect(plain.properties.contentType == "application/json")
        #expect(plain.properties.isUTF8 == true)
        #expect(plain.properties.messageExpirySeconds == nil)
        #expect(plain.properties.responseTopic == nil)
        let foreign = WireMessage.ack(
            ack, home: home, controller: controller, correlationData: [1, 2])
        #expect(foreign.properties.correlationData == [1, 2])
    }

    @Test func onlyTheControllersOwnAckTopicIsHonoured() {
        func honours(_ topic: String?) -> Bool {
            DeviceTopic.honours(
                responseTopic: topic, home: home, device: device, controller: controller)
        }
        #expect(honours(nil))
        #expect(honours("homeport/v1/home-1/robot-1/ack/ctl"))
        for other in [
            "", "homeport/v1/home-1/robot-1/ack/other", "homeport/v1/home-1/robot-2/ack/ctl",
            "homeport/v1/home-2/robot-1/ack/ctl", "homeport/v1/home-1/robot-1/ack/ctl/",
            "homeport/v1/home-1/robot-1/state", "elsewhere",
        ] {
            #expect(!honours(other), "\(other)")
        }
    }

    @Test func everyOtherMessageHasItsOwnTopicAndNoProperties() throws {
        let boot = try BootID("b1")
        let at = Timestamp(milliseconds: 1)
        let messages: [(WireMessage, String)] = [
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
                    TelemetryMessage(device: device, boot: boot, at: at, n: 1, values: [:]),
                    home: home), "robot-1/telemetry"
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
            #expect(message.topic.text == "homeport/v1/home-1/\(levels)")
            #expect(message.properties == .none)
            let received = try ReceivedMessage(
                topic: message.topic.text, payload: message.payload)
            #expect(received.topic == message.topic)
        }
    }
}
