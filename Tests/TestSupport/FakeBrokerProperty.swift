/// An MQTT 5 property of a fake broker's packet.
package struct FakeBrokerProperty: Sendable, Equatable {
    /// A value in the form that the identifier prescribes (MQTT 5, section 2.2.2.2).
    package enum Value: Sendable, Equatable {
        case number(UInt32)
        case text(String)
        case data([UInt8])
        case pair(String, String)
    }

    package var identifier: UInt8
    package var value: Value

    package init(_ identifier: UInt8, _ value: Value) {
        self.identifier = identifier
        self.value = value
    }

    package static func number(_ identifier: UInt8, _ value: UInt32) -> Self {
        Self(identifier, .number(value))
    }

    package static func text(_ identifier: UInt8, _ value: String) -> Self {
        Self(identifier, .text(value))
    }

    package static func data(_ identifier: UInt8, _ value: [UInt8]) -> Self {
        Self(identifier, .data(value))
    }

    package static func user(_ name: String, _ value: String) -> Self {
        Self(0x26, .pair(name, value))
    }

    /// How a number with that identifier is written; nil for what is no number.
    enum Width {
        case bytes(Int)
        case variable
    }

    static func width(of identifier: UInt8) -> Width? {
        switch identifier {
        case 0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2A: .bytes(1)
        case 0x13, 0x21, 0x22, 0x23: .bytes(2)
        case 0x02, 0x11, 0x18, 0x27: .bytes(4)
        case 0x0B: .variable
        default: nil
        }
    }

    /// As it stands in a packet.
    package var bytes: [UInt8] {
        switch value {
        case .number(let number): [identifier] + encoded(number)
        case .text(let text): [identifier] + FakeBrokerPacket.string(text)
        case .data(let data): [identifier] + FakeBrokerPacket.short(data.count) + data
        case .pair(let name, let value):
            [identifier] + FakeBrokerPacket.string(name) + FakeBrokerPacket.string(value)
        }
    }

    private func encoded(_ number: UInt32) -> [UInt8] {
        guard case .bytes(let count) = Self.width(of: identifier) else {
            return FakeBrokerPacket.variableLength(Int(number))
        }
        return (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

extension [FakeBrokerProperty] {
    /// The properties one after the other, without their length in front.
    package var bytes: [UInt8] { flatMap(\.bytes) }
}

extension FakeBrokerPacket {
    /// The properties of a packet that a client sent: of everything but CONNECT.
    package func properties() throws(TestSupportError) -> [FakeBrokerProperty] {
        var reader = ByteReader(bytes: body[...])
        switch kind {
        case .publish:
            _ = try reader.string()
            if publishQoS > 0 { _ = try reader.number(bytes: 2) }
        case .subscribe, .unsubscribe: _ = try reader.number(bytes: 2)
        case .disconnect, .auth:
            // Without more than a reason there is no length either.
            guard body.count > 1 else { return [] }
            _ = try reader.byte()
        default: return []
        }
        return try reader.properties()
    }

    /// The payload of a PUBLISH of MQTT 5.
    package func payload() throws(TestSupportError) -> [UInt8] {
        var reader = ByteReader(bytes: body[...])
        _ = try reader.string()
        if publishQoS > 0 { _ = try reader.number(bytes: 2) }
        _ = try reader.properties()
        return Array(reader.bytes)
    }

    /// The filters of a SUBSCRIBE with their options, or of an UNSUBSCRIBE.
    package func filters(
        _ version: FakeBrokerVersion = .v5
    ) throws(TestSupportError) -> [(filter: String, options: UInt8)] {
        var reader = ByteReader(bytes: body[...])
        _ = try reader.number(bytes: 2)
        if version == .v5 { _ = try reader.properties() }
        var filters: [(String, UInt8)] = []
        while !reader.bytes.isEmpty {
            filters.append((try reader.string(), kind == .subscribe ? try reader.byte() : 0))
        }
        return filters
    }
}
