import DeviceDomain
import DeviceTopics
import Testing

@Suite struct TopicSubscriptionTests {
    private let home: HomeID
    private let device: DeviceID
    private let controller: ControllerID

    init() throws {
        home = try HomeID("home-1")
        device = try DeviceID("robot-1")
        controller = try ControllerID("ctl")
    }

    @Test func aReaderNeedsOneFilterForEachTopic() {
        let filters = TopicSubscription.home(home, controller: controller)
        #expect(
            filters == [
                subscription("+/description", 0), subscription("+/presence", 0),
                subscription("+/state", 0), subscription("+/telemetry", 0),
                subscription("+/event/+", 1), subscription("+/ack/ctl", 1),
                subscription("fence", 0),
            ])
    }

    @Test func withoutAControllerThereAreNoAcks() {
        #expect(TopicSubscription.home(home).count == 6)
    }

    @Test func aReaderOfOneDeviceNamesIt() {
        let filters = TopicSubscription.device(
            device, in: home, [.state, .ack, .event], controller: controller)
        #expect(
            filters == [
                subscription("robot-1/state", 0), subscription("robot-1/event/+", 1),
                subscription("robot-1/ack/ctl", 1),
            ])
    }

    @Test func aDeviceSubscribesToWhatItMayRead() {
        #expect(
            TopicSubscription.ownedBy(device, in: home) == [
                subscription("robot-1/command", 1, retainAsPublished: true),
                subscription("robot-1/command/urgent", 1, retainAsPublished: true),
                subscription("robot-1/desired", 1), subscription("robot-1/presence", 1),
                subscription("hello", 1, retainAsPublished: true),
            ])
    }

    private func subscription(
        _ levels: String, _ qos: UInt8, retainAsPublished: Bool = false
    ) -> TopicSubscription {
        TopicSubscription(
            filter: "homeport/v1/home-1/\(levels)", qos: qos == 0 ? .atMostOnce : .atLeastOnce,
            retainAsPublished: retainAsPublished)
    }
}
