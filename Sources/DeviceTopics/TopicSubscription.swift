package import DeviceDomain

/// A filter that a reader or a device subscribes to, with its options.
package struct TopicSubscription: Hashable, Sendable {
    /// The filter.
    package let filter: String
    /// The highest quality of service for its messages.
    package let qos: WireQoS
    /// MQTT 5: whether messages keep their retain flag, so that retained commands can be detected.
    package let retainAsPublished: Bool

    package init(filter: String, qos: WireQoS, retainAsPublished: Bool = false) {
        self.filter = filter
        self.qos = qos
        self.retainAsPublished = retainAsPublished
    }
}

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

extension TopicSubscription {
    /// The presences of all devices of all homes.
    package static let presenceOfEveryHome = TopicSubscription(
        filter: "\(DeviceTopic.root)/+/+/presence", qos: .atMostOnce)

    /// The subscriptions of a reader of a home: one filter for each kind of topic, for any number of devices
    /// (PROTOCOL section 1). Retained topics are subscribed to at QoS 0, because at QoS 1 a broker's queue
    /// drops replayed messages beyond about a thousand; acks and events at QoS 1.
    ///
    /// Acks are left out if no controller is given.
    package static func home(
        _ home: HomeID, _ topics: Set<ReaderTopic> = Set(ReaderTopic.allCases),
        controller: ControllerID? = nil
    ) -> [TopicSubscription] {
        ReaderTopic.allCases.filter(topics.contains).compactMap {
            $0.subscription(home, device: "+", controller)
        }
    }

    /// The subscriptions of a reader of one device.
    package static func device(
        _ device: DeviceID, in home: HomeID,
        _ topics: Set<ReaderTopic> = Set(ReaderTopic.allCases), controller: ControllerID? = nil
    ) -> [TopicSubscription] {
        ReaderTopic.allCases.filter(topics.contains).compactMap {
            $0.subscription(home, device: device.text, controller)
        }
    }

    /// The subscriptions of a controller that reads the settings kept for a device, and what the device
    /// has applied of them.
    package static func settings(of device: DeviceID, in home: HomeID) -> [TopicSubscription] {
        let topics: [DeviceTopic] = [.desired(home, device), .state(home, device), .fence(home)]
        return topics.map { TopicSubscription(filter: $0.text, qos: .atMostOnce) }
    }

    /// The subscriptions of a controller that asks which messages of a device are retained.
    package static func retained(of device: DeviceID, in home: HomeID) -> [TopicSubscription] {
        (DeviceTopic.retained(of: device, in: home) + [.fence(home)]).map {
            TopicSubscription(filter: $0.text, qos: .atMostOnce)
        }
    }

    /// The subscriptions of a device itself.
    package static func ownedBy(_ device: DeviceID, in home: HomeID) -> [TopicSubscription] {
        let topics: [DeviceTopic] = [
            .command(home, device, .normal), .command(home, device, .urgent),
            .desired(home, device), .presence(home, device), .hello(home),
        ]
        return topics.map { topic in
            TopicSubscription(
                filter: topic.text, qos: .atLeastOnce, retainAsPublished: !topic.isRetained)
        }
    }
}

extension ReaderTopic {
    fileprivate func subscription(
        _ home: HomeID, device: String, _ controller: ControllerID?
    ) -> TopicSubscription? {
        let base = "\(DeviceTopic.root)/\(home.text)"
        switch self {
        case .description, .presence, .state, .telemetry:
            return TopicSubscription(filter: "\(base)/\(device)/\(rawValue)", qos: .atMostOnce)
        case .event:
            return TopicSubscription(filter: "\(base)/\(device)/event/+", qos: .atLeastOnce)
        case .ack:
            return controller.map {
                TopicSubscription(filter: "\(base)/\(device)/ack/\($0.text)", qos: .atLeastOnce)
            }
        case .fence:
            return TopicSubscription(filter: "\(base)/fence", qos: .atMostOnce)
        }
    }
}
