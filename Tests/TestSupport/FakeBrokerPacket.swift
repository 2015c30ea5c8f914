/// The protocol version of a fake broker's packet.
package enum FakeBrokerVersion: UInt8, Sendable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case v3_1_1 = 4
    case v5 = 5
}

/// A control packet as bytes: the first byte and what follows the remaining length.
package struct FakeBrokerPacket: Sendable, Equatable {
    /// The type of a control packet (MQTT 5, section 2.1.2).
    package enum Kind: UInt8, Sendable {
        case reserved = 0
        case connect = 1
        case connack, publish, puback, pubrec, pubrel, pubcomp, subscribe, suback, unsubscribe
        case unsuback, pingreq, pingresp, disconnect, auth
    }

    package var header: UInt8
    package var body: [UInt8]

    package init(header: UInt8, body: [UInt8]) {
        self.header = header
        self.body = body
    }

    package var kind: Kind { Kind(rawValue: header >> 4) ?? .reserved }

    package var bytes: [UInt8] {
        [header] + Self.variableLength(body.count) + body
    }

    /// A length as MQTT writes it: seven bits a byte, lowest first.
    package static func variableLength(_ value: Int) -> [UInt8] {
        var rest = value
        var bytes: [UInt8] = []
        repeat {
            let byte = UInt8(rest & 0x7F)
            rest >>= 7
            bytes.append(rest > 0 ? byte | 0x80 : byte)
        } while rest > 0
        return bytes
    }

    /// A string with its length in front.
    package static func string(_ text: String) -> [UInt8] { short(text.utf8.count) + text.utf8 }

    /// Two bytes, high one first.
    package static func short(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    // MARK: What is in a packet

    /// The packet identifier where it stands in front: not in PUBLISH.
    package var identifier: Int { body.count < 2 ? 0 : Int(body[0]) << 8 | Int(body[1]) }

    /// The topic of a PUBLISH.
    package var topic: String {
        String(decoding: body.dropFirst(2).prefix(identifier), as: UTF8.self)
    }

    package var publishQoS: UInt8 { header >> 1 & 3 }
    package var isDuplicate: Bool { header & 8 != 0 }

    /// The packet identifier of a PUBLISH with QoS 1 or 2.
    package var publishIdentifier: Int {
        let offset = 2 + identifier
        return offset + 1 < body.count ? Int(body[offset]) << 8 | Int(body[offset + 1]) : 0
    }
}

// MARK: What a broker sends

extension FakeBrokerPacket {
    package static func connack(
        _ version: FakeBrokerVersion, code: UInt8 = 0, sessionPresent: Bool = false,
        properties: [UInt8] = []
    ) -> Self {
        let tail = version == .v5 ? variableLength(properties.count) + properties : []
        return Self(header: 0x20, body: [sessionPresent ? 1 : 0, code] + tail)
    }

    package static func puback(_ identifier: Int, reason: UInt8? = nil) -> Self {
        Self(header: 0x40, body: short(identifier) + (reason.map { [$0] } ?? []))
    }

    package static func suback(
        _ version: FakeBrokerVersion, _ identifier: Int, codes: [UInt8]
    ) -> Self {
        Self(header: 0x90, body: short(identifier) + (version == .v5 ? [0] : []) + codes)
    }

    package static func unsuback(
        _ version: FakeBrokerVersion, _ identifier: Int, codes: [UInt8]
    ) -> Self {
        Self(header: 0xB0, body: short(identifier) + (version == .v5 ? [0] + codes : []))
    }

    package static func publish(
        _ version: FakeBrokerVersion, topic: String, payload: [UInt8] = [], qos: UInt8 = 0,
        identifier: Int = 0, retain: Bool = false, properties: [UInt8] = []
    ) -> Self {
        var body = string(topic)
        if qos > 0 { body += short(identifier) }
        if version == .v5 { body += variableLength(properties.count) + properties }
        return Self(header: 0x30 | qos << 1 | (retain ? 1 : 0), body: body + payload)
    }

    package static func disconnect(_ reason: UInt8) -> Self {
        Self(header: 0xE0, body: [reason, 0])
    }

    package static let pingresp = Self(header: 0xD0, body: [])
}
