import DeviceDomain
import DeviceTopics
import MQTTClient
import Testing

@Suite struct ProtocolSubscriptionTests {
    private let home: HomeID
    private let device: DeviceID
    private let controller: ControllerID

    init() throws {
        home = try HomeID("home-1")
        device = try DeviceID("robot-1")
        controller = try ControllerID("ctl")
    }

    @Test func aReaderNeedsOneFilterForEachTopic() throws {
        let filters = [MQTTSubscriptionRequest].home(home, controller: controller)
        #expect(
            try filters == [
                subscription("+/description", 0), subscription("+/presence", 0),
                subscription("+/state", 0), subscription("+/telemetry", 0),
                subscription("+/event/+", 1), subscription("+/ack/ctl", 1),
                subscription("fence", 0),
            ])
    }

    @Test func withoutAControllerThereAreNoAcks() {
        #expect([MQTTSubscriptionRequest].home(home).count == 6)
    }

    @Test func aReaderOfOneDeviceNamesIt() throws {
        let filters = [MQTTSubscriptionRequest].device(
            device, in: home, [.state, .ack, .event], controller: controller)
        #expect(
            try filters == [
                subscription("robot-1/state", 0), subscription("robot-1/event/+", 1),
                subscription("robot-1/ack/ctl", 1),
            ])
    }

    @Test func aDeviceSubscribesToWhatItMayRead() throws {
        #expect(
            try [MQTTSubscriptionRequest].ownedBy(device, in: home) == [
                subscription("robot-1/command", 1, retainAsPublished: true),
                subscription("robot-1/command/urgent", 1, retainAsPublished: true),
                subscription("robot-1/desired", 1), subscription("robot-1/presence", 1),
                subscription("hello", 1, retainAsPublished: true),
            ])
    }

    private func subscription(
        _ levels: String, _ qos: UInt8, retainAsPublished: Bool = false
    ) throws -> MQTTSubscriptionRequest {
        MQTTSubscriptionRequest(
            try MQTTTopicFilter("homeport/v1/home-1/\(levels)"),
            qos: qos == 0 ? .atMostOnce : .atLeastOnce, retainAsPublished: retainAsPublished)
    }
}
