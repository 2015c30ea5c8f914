internal import DeviceTopics
internal import MQTTClient

extension MQTTMessage {
    /// Translates a message of the protocol.
    init(_ wire: WireMessage) throws(MQTTError) {
        let properties = wire.properties
        self.init(
            topic: try MQTTTopic(wire.topic.text), payload: wire.payload, qos: wire.topic.qos.mqtt,
            retain: wire.topic.isRetained,
            properties: MQTTProperties(
                contentType: properties.contentType, isUTF8: properties.isUTF8,
                responseTopic: try MQTTTopic.optional(properties.responseTopic),
                correlationData: properties.correlationData,
                messageExpirySeconds: properties.messageExpirySeconds,
                userProperties: properties.userProperties.map {
                    MQTTProperties.UserProperty(name: $0.name, value: $0.value)
                }))
    }
}

extension MQTTTopic {
    fileprivate static func optional(_ text: String?) throws(MQTTError) -> MQTTTopic? {
        guard let text else { return nil }
        return try MQTTTopic(text)
    }
}

extension MQTTSubscriptionRequest {
    /// Translates a subscription of the protocol.
    init(_ subscription: TopicSubscription) throws(MQTTError) {
        self.init(
            try MQTTTopicFilter(subscription.filter), qos: subscription.qos.mqtt,
            retainAsPublished: subscription.retainAsPublished)
    }
}

extension WireQoS {
    fileprivate var mqtt: MQTTQoS {
        switch self {
        case .atMostOnce: .atMostOnce
        case .atLeastOnce: .atLeastOnce
        }
    }
}
