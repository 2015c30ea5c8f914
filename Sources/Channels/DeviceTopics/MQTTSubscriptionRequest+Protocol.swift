package import DeviceDomain
package import MQTTClient

/// A kind of topic that a reader may subscribe to.
package enum ReaderTopic: String, Hashable, Sendable, CaseIterable {
    /// The descriptions of devices.
    case description
    /// Their presences.
    case presence
    /// Their states.
    case state
    /// Their signals.
    case telemetry
    /// Their events.
    case event
    /// The acks of one controller's commands.
    case ack
    /// The reader's messages to itself.
    case fence
}

extension [MQTTSubscriptionRequest] {
    /// The presences of all devices of all homes.
    package static let presenceOfEveryHome = [request("+/+/presence", .atMostOnce)]

    /// The subscriptions of a reader of a home: one filter for each kind of topic, for any number of devices
    /// (PROTOCOL section 1). Retained topics are subscribed to at QoS 0, because at QoS 1 a broker's queue
    /// drops replayed messages beyond about a thousand; acks and events at QoS 1.
    ///
    /// Acks are left out if no controller is given.
    package static func home(
        _ home: HomeID, _ topics: Set<ReaderTopic> = Set(ReaderTopic.allCases),
        controller: ControllerID? = nil
    ) -> Self {
        ReaderTopic.allCases.filter(topics.contains).compactMap {
            $0.subscription(home, device: "+", controller)
        }
    }

    /// The subscriptions of a reader of one device.
    package static func device(
        _ device: DeviceID, in home: HomeID,
        _ topics: Set<ReaderTopic> = Set(ReaderTopic.allCases), controller: ControllerID? = nil
    ) -> Self {
        ReaderTopic.allCases.filter(topics.contains).compactMap {
            $0.subscription(home, device: device.text, controller)
        }
    }

    /// The subscriptions of a controller that reads the settings kept for a device, and what the device
    /// has applied of them.
    package static func settings(of device: DeviceID, in home: HomeID) -> Self {
        reading([.desired(home, device), .state(home, device), .fence(home)])
    }

    /// The subscriptions of a controller that asks which messages of a device are retained.
    package static func retained(of device: DeviceID, in home: HomeID) -> Self {
        reading(DeviceTopic.retained(of: device, in: home) + [.fence(home)])
    }

    private static func reading(_ topics: [DeviceTopic]) -> Self {
        topics.map { Element(MQTTTopicFilter(MQTTTopic($0)), qos: .atMostOnce) }
    }

    /// The subscriptions of a device itself. Messages that are not retained keep the flag as published, so that
    /// retained commands can be detected (MQTT 5).
    package static func ownedBy(_ device: DeviceID, in home: HomeID) -> Self {
        let topics: [DeviceTopic] = [
            .command(home, device, .normal), .command(home, device, .urgent),
            .desired(home, device), .presence(home, device), .hello(home),
        ]
        return topics.map {
            Element(
                MQTTTopicFilter(MQTTTopic($0)), qos: .atLeastOnce,
                retainAsPublished: !$0.isRetained)
        }
    }
}

extension ReaderTopic {
    fileprivate func subscription(
        _ home: HomeID, device: String, _ controller: ControllerID?
    ) -> MQTTSubscriptionRequest? {
        switch self {
        case .description, .presence, .state, .telemetry:
            request("\(home)/\(device)/\(rawValue)", .atMostOnce)
        case .event: request("\(home)/\(device)/event/+", .atLeastOnce)
        case .ack: controller.map { request("\(home)/\(device)/ack/\($0)", .atLeastOnce) }
        case .fence: request("\(home)/fence", .atMostOnce)
        }
    }
}

/// A subscription to a filter below the root.
private func request(_ levels: String, _ qos: MQTTQoS) -> MQTTSubscriptionRequest {
    do {
        return MQTTSubscriptionRequest(
            try MQTTTopicFilter("\(DeviceTopic.root)/\(levels)"), qos: qos)
    } catch {
        preconditionFailure("filters made of identifiers are valid: \(error)")
    }
}
