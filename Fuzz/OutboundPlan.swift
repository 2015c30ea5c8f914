import MQTTClient

/// What a broker allows, what a client may keep, and what is published: made from the bytes of an input.
struct OutboundPlan {
    /// One call of the client's owner.
    enum Step {
        case single(OutboundMessage)
        case batch([OutboundMessage])
    }

    /// Payloads of more than this in all are left out: an input shall not cost a second.
    private static let totalBytes = 4 << 20
    private static let mostMessages = 96

    let version: MQTTProtocolVersion
    let sendMaximum: UInt16
    let maximumPendingMessages: Int
    let maximumPendingBytes: Int
    /// Whether the broker acknowledges the latest first.
    let answersBackwards: Bool
    private(set) var receiveMaximum: UInt16?
    private(set) var maximumPacketSize: UInt32?
    private(set) var maximumQoS = MQTTQoS.exactlyOnce
    private(set) var retainAvailable = true
    private(set) var steps: [Step] = []

    init(_ reader: inout FuzzReader) {
        let choice = reader.byte()
        version = choice & 0x01 == 0 ? .v5 : .v3_1_1
        answersBackwards = choice & 0x02 != 0
        sendMaximum = UInt16(reader.byte() & 0x1F) + 1
        maximumPendingMessages = Int(reader.byte() & 0x1F)
        maximumPendingBytes = Int(reader.short()) << Int(choice & 0x04)
        if version == .v5 {
            if choice & 0x08 != 0 { receiveMaximum = UInt16(reader.byte() & 0x0F) + 1 }
            // Below that not even the exchange of QoS 2 is possible.
            if choice & 0x10 != 0 { maximumPacketSize = UInt32(reader.short()) + 4 }
            if choice & 0x20 != 0 {
                maximumQoS = reader.byte() & 1 == 0 ? .atMostOnce : .atLeastOnce
            }
            retainAvailable = choice & 0x40 == 0
        }
        readSteps(&reader)
    }

    private mutating func readSteps(_ reader: inout FuzzReader) {
        var bytes = 0
        var count = 0
        func message(_ reader: inout FuzzReader) -> OutboundMessage? {
            let message = OutboundMessage(&reader, version: version, near: maximumPacketSize)
            bytes += message.size
            count += 1
            return bytes <= Self.totalBytes && count <= Self.mostMessages ? message : nil
        }
        while !reader.isEmpty {
            let choice = reader.byte()
            guard choice & 0x01 != 0 else {
                guard let single = message(&reader) else { return }
                steps.append(.single(single))
                continue
            }
            var batch: [OutboundMessage] = []
            for _ in 0..<choice >> 4 {
                guard let next = message(&reader) else { return }
                batch.append(next)
            }
            steps.append(.batch(batch))
        }
    }

    /// How many messages may be without an answer at once.
    var window: Int { Int(min(sendMaximum, receiveMaximum ?? .max)) }

    /// The properties of CONNACK that say so.
    var properties: [UInt8] {
        var list: [UInt8] = []
        if let receiveMaximum { list += [0x21] + OutboundMessage.bytes(UInt32(receiveMaximum), 2) }
        if let maximumPacketSize { list += [0x27] + OutboundMessage.bytes(maximumPacketSize, 4) }
        if maximumQoS < .exactlyOnce { list += [0x24, maximumQoS.rawValue] }
        if !retainAvailable { list += [0x25, 0] }
        return list
    }

    /// Why the message must be refused whatever waits, if so.
    func objection(to message: OutboundMessage) -> MQTTError.Code? {
        if message.value.qos > maximumQoS { return .unsupported }
        if message.value.retain, !retainAvailable { return .unsupported }
        return message.size > Int(maximumPacketSize ?? 268_435_460) ? .packetTooLarge : nil
    }
}

/// A message and the size of its packet, counted apart from the client.
struct OutboundMessage {
    private(set) var value: MQTTMessage
    /// Of the packet, in bytes.
    let size: Int

    /// `limit` is the size around which payloads are made on demand.
    init(_ reader: inout FuzzReader, version: MQTTProtocolVersion, near limit: UInt32?) {
        let choice = reader.byte()
        let publish = FuzzPublish(&reader)
        guard let topic = try? MQTTTopic(choice & 0x80 == 0 ? "a" : "a/ö"),
            let qos = MQTTQoS(rawValue: min(choice & 0x03, 2))
        else { preconditionFailure("a message of constants") }
        let list = publish.sentPropertyBytes
        var head = 2 + topic.rawValue.utf8.count + (qos > .atMostOnce ? 2 : 0)
        if version == .v5 { head += Self.lengthBytes(list) + list }
        let count: Int
        switch choice >> 3 & 0x03 {
        case 0: count = publish.payload.count
        case 1: count = Int(reader.short())
        case 2: count = Int(reader.short()) << 5
        default: count = max(0, Int(limit ?? 128) - head - 4 + Int(reader.byte() & 0x07))
        }
        let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: count)
        value = MQTTMessage(
            topic: topic, payload: payload, qos: qos, retain: choice & 0x04 != 0,
            properties: publish.properties)
        size = 1 + Self.lengthBytes(head + count) + head + count
    }

    static func bytes(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }

    private static func lengthBytes(_ count: Int) -> Int {
        count < 128 ? 1 : 1 + lengthBytes(count >> 7)
    }

    /// What it occupies at the least while it waits, on any version.
    var content: Int {
        let properties = value.properties
        return value.topic.rawValue.utf8.count + value.payload.count
            + (properties.contentType?.utf8.count ?? 0) + (properties.correlationData?.count ?? 0)
            + (properties.responseTopic?.rawValue.utf8.count ?? 0)
            + properties.userProperties.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
