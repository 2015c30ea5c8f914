package import DeviceDomain

/// A filter that a reader or a device subscribes to, and how.
package struct TopicSubscription: Hashable, Sendable {
    /// The filter.
    package let filter: String
    /// The highest quality of service of what comes.
    package let qos: WireQoS
    /// MQTT 5: whether a message keeps its retain flag, so that a retained command shows itself.
    package let retainAsPublished: Bool

    package init(filter: String, qos: WireQoS, retainAsPublished: Bool = false) {
        self.filter = filter
        self.qos = qos
        self.retainAsPublished = retainAsPublished
    }
}

/// A part of a home's traffic that a reader may want.
package enum ReaderTopic: String, Hashable, Sendable, CaseIterable {
    /// What devices are.
    case description
    /// Whether they are there.
    case presence
    /// Their states.
    case state
    /// Their signals.
    case telemetry
    /// What happened to them.
    case event
    /// The acks of one controller's commands.
    case ack
    /// The reader's messages to itself.
    case fence
}

extension TopicSubscription {
    /// What a reader of a home subscribes to: one filter for each topic, however many devices
    /// there are (PROTOCOL section 1). Retained topics come at QoS 0, because a broker's queue
    /// drops their replay at QoS 1 beyond about a thousand; acks and events come at QoS 1.
    ///
    /// Acks are left out where no controller is given.
    package static func home(
        _ home: HomeID, _ topics: Set<ReaderTopic> = Set(ReaderTopic.allCases),
        controller: ControllerID? = nil
    ) -> [TopicSubscription] {
        ReaderTopic.allCases.filter(topics.contains).compactMap {
            $0.subscription(home, device: "+", controller)
        }
    }

    /// What a reader of one device subscribes to.
    package static func device(
        _ device: DeviceID, in home: HomeID,
        _ topics: Set<ReaderTopic> = Set(ReaderTopic.allCases), controller: ControllerID? = nil
    ) -> [TopicSubscription] {
        ReaderTopic.allCases.filter(topics.contains).compactMap {
            $0.subscription(home, device: device.text, controller)
        }
    }

    /// What a device itself subscribes to.
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
