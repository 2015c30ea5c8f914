/// Bytes that no broker may send to a client, as whole packets.
package struct MalformedPacket: Sendable {
    package var name: String
    package var bytes: [UInt8]

    /// Every type of packet of MQTT 3.1.1, broken in every way that there is.
    package static let version3: [Self] =
        FakeBrokerPacket.Kind.all.flatMap(broken) + publishes + responses

    private init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    private init(_ name: String, _ header: UInt8, _ body: [UInt8]) {
        self.init(name, FakeBrokerPacket(header: header, body: body).bytes)
    }

    private static func broken(_ kind: FakeBrokerPacket.Kind) -> [Self] {
        let header = kind.rawValue << 4
        var packets = [
            Self("\(kind) without a body", header, []),
            Self("\(kind) of one byte", header, [0]),
            Self("\(kind) with every flag", header | 0x0F, [0, 1, 0]),
            Self("\(kind) with a length of five bytes", [header, 0x80, 0x80, 0x80, 0x80, 0x01]),
            Self("\(kind) with identifier 0", header | kind.flags, [0, 0]),
            Self("\(kind) of 300 bytes", header | kind.flags, [UInt8](repeating: 0xFF, count: 300)),
        ]
        if kind != .publish {
            packets.append(
                Self("\(kind) with bytes behind it", header | kind.flags, [0, 1, 2, 3, 4]))
        }
        return packets
    }

    private static let publishes = [
        Self("a PUBLISH of QoS 3", 0x36, [0, 1, 0x61, 0, 1]),
        Self("a PUBLISH without a topic", 0x30, [0, 0]),
        Self("a PUBLISH whose topic is longer than it", 0x30, [0xFF, 0xFF, 0x61]),
        Self("a PUBLISH of QoS 1 without an identifier", 0x32, [0, 1, 0x61]),
        Self("a PUBLISH of QoS 1 with identifier 0", 0x32, [0, 1, 0x61, 0, 0]),
        Self("a PUBLISH of QoS 2 with identifier 0", 0x34, [0, 1, 0x61, 0, 0]),
        Self("a PUBLISH with NUL in its topic", 0x30, [0, 3, 0x61, 0x00, 0x62]),
        Self("a PUBLISH whose topic is no UTF-8", 0x30, [0, 2, 0xC0, 0x80]),
        Self("a PUBLISH with a surrogate in its topic", 0x30, [0, 3, 0xED, 0xA0, 0x80]),
        Self("a PUBLISH of QoS 0 that is a duplicate", 0x38, [0, 1, 0x61]),
    ]

    private static let responses = [
        Self("a CONNACK with an unknown code", 0x20, [0, 0x42]),
        Self("a CONNACK with reserved flags", 0x20, [0xFF, 0]),
        Self("a PUBREC that nobody waits for", 0x50, [0x12, 0x34]),
        Self("a PUBREL that nobody waits for", 0x62, [0x12, 0x34]),
        Self("a PUBCOMP that nobody waits for", 0x70, [0x12, 0x34]),
        Self("a SUBACK that nobody waits for", 0x90, [0x12, 0x34, 1]),
        Self("a SUBACK without codes", 0x90, [0, 1]),
        Self("an UNSUBACK that nobody waits for", 0xB0, [0x12, 0x34]),
        Self("a PINGRESP that nobody waits for", 0xD0, []),
    ]
}

extension FakeBrokerPacket.Kind {
    fileprivate static let all: [Self] = (0...15).compactMap(Self.init(rawValue:))

    /// The flags that MQTT prescribes for the type.
    fileprivate var flags: UInt8 {
        switch self {
        case .pubrel, .subscribe, .unsubscribe: 2
        case .reserved, .connect, .connack, .publish, .puback, .pubrec, .pubcomp, .suback,
            .unsuback, .pingreq, .pingresp, .disconnect, .auth:
            0
        }
    }
}
