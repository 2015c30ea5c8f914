/// The sizes of packets on the wire, fixed header included (MQTT 5, section 2.1).
enum MQTTPacketSize {
    /// The largest possible packet: a header of five bytes, four of them with seven bits of length each.
    static let maximum = 5 + 268_435_455

    /// The most that a topic alias adds to a PUBLISH: itself, and one byte more for each of two lengths.
    static let topicAlias = 3 + 2

    /// The size of a PUBLISH.
    static func publish(_ message: MQTTMessage, version: MQTTProtocolVersion) -> Int {
        var remaining = 2 + message.topic.rawValue.utf8.count + message.payload.count
        if message.qos > .atMostOnce { remaining += 2 }
        if version == .v5 { remaining += withLength(properties(message.properties)) }
        return packet(remaining)
    }

    /// The size of a SUBSCRIBE for filters with equal options.
    static func subscribe(
        _ requests: [MQTTSubscriptionRequest], userProperties: [MQTTProperties.UserProperty],
        version: MQTTProtocolVersion
    ) -> Int {
        var remaining = requests.reduce(2) { $0 + 3 + $1.filter.rawValue.utf8.count }
        if version == .v5 {
            let identifier = requests.first?.identifier.map { 1 + lengthBytes(Int($0)) } ?? 0
            remaining += withLength(identifier + size(userProperties))
        }
        return packet(remaining)
    }

    /// The size of an UNSUBSCRIBE.
    static func unsubscribe(
        _ filters: [MQTTTopicFilter], userProperties: [MQTTProperties.UserProperty],
        version: MQTTProtocolVersion
    ) -> Int {
        var remaining = filters.reduce(2) { $0 + 2 + $1.rawValue.utf8.count }
        if version == .v5 { remaining += withLength(size(userProperties)) }
        return packet(remaining)
    }

    /// The size of a DISCONNECT of version 5.
    static func disconnect(_ properties: MQTTDisconnectProperties) -> Int {
        var size = Self.size(properties.userProperties)
        if properties.sessionExpiry != nil { size += 5 }
        if let text = properties.reasonString, !text.isEmpty { size += 3 + text.utf8.count }
        return packet(1 + withLength(size))
    }

    /// The size of a message's properties, without the length that precedes them.
    static func properties(_ properties: MQTTProperties) -> Int {
        guard !properties.isEmpty else { return 0 }
        var size = Self.size(properties.userProperties)
        if properties.isUTF8 != nil { size += 2 }
        if properties.messageExpirySeconds != nil { size += 5 }
        if let type = properties.contentType, !type.isEmpty { size += 3 + type.utf8.count }
        if let topic = properties.responseTopic { size += 3 + topic.rawValue.utf8.count }
        if let data = properties.correlationData { size += 3 + data.count }
        return size
    }

    private static func size(_ properties: [MQTTProperties.UserProperty]) -> Int {
        properties.reduce(0) { $0 + 5 + $1.name.utf8.count + $1.value.utf8.count }
    }

    private static func packet(_ remaining: Int) -> Int { 1 + withLength(remaining) }

    private static func withLength(_ count: Int) -> Int { lengthBytes(count) + count }

    /// How many bytes a length needs, at seven bits each.
    private static func lengthBytes(_ count: Int) -> Int {
        switch count {
        case ..<128: 1
        case ..<16_384: 2
        case ..<2_097_152: 3
        default: 4
        }
    }
}
