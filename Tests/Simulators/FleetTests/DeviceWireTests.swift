import DeviceDomain
import DeviceMessages
import DeviceSimulation
import MQTTClient
import Testing

@testable import Fleet

@Suite struct DeviceWireTests {
    private let wire: DeviceWire

    init() throws {
        wire = DeviceWire(home: try HomeID("home-1"), device: try DeviceID("robot-1"))
    }

    private func responseTopic(of text: String?) throws -> ResponseTopic? {
        var message = MQTTMessage(
            topic: try MQTTTopic("homeport/v1/home-1/robot-1/command"), payload: [])
        message.properties.responseTopic = try text.map { try MQTTTopic($0) }
        guard case .input(.command(_, _, let topic, _)) = wire.read(message).content else {
            Issue.record("no command")
            return nil
        }
        return topic
    }

    @Test func aResponseTopicMayBeTheDevicesOwnAckTopic() throws {
        #expect(try responseTopic(of: nil) == nil)
        #expect(
            try responseTopic(of: "homeport/v1/home-1/robot-1/ack/ctl")
                == .acks(ControllerID("ctl")))
    }

    @Test(arguments: [
        "homeport/v1/home-1/robot-2/ack/ctl", "homeport/v1/home-2/robot-1/ack/ctl",
        "homeport/v1/home-1/robot-1/ack/ctl/", "homeport/v1/home-1/robot-1/state", "elsewhere",
    ])
    func otherResponseTopicsAreForeign(_ topic: String) throws {
        #expect(try responseTopic(of: topic) == .foreign)
    }

    @Test func aDeviceRemovesOnlyWhatItMayPublish() {
        let levels = ["description", "state", "presence"]
        #expect(
            wire.removals.map(\.topic.rawValue)
                == levels.map { "homeport/v1/home-1/robot-1/\($0)" })
        #expect(wire.removals.allSatisfy { $0.payload.isEmpty && $0.retain })
    }
}
