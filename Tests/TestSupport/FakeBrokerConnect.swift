/// What a client said in CONNECT.
package struct FakeBrokerConnect: Sendable {
    package var version: FakeBrokerVersion
    package var cleanStart: Bool
    package var hasWill: Bool
    package var keepAlive: Int
    package var clientID: String
    /// MQTT 5: numeric properties by identifier; others are skipped.
    package var properties: [UInt8: UInt32]

    package init(_ packet: FakeBrokerPacket) throws(TestSupportError) {
        var reader = ByteReader(bytes: packet.body[...])
        guard try reader.string() == "MQTT",
            let version = try FakeBrokerVersion(rawValue: reader.byte())
        else { throw TestSupportError("not a CONNECT of MQTT 3.1.1 or 5") }
        self.version = version
        let flags = try reader.byte()
        cleanStart = flags & 2 != 0
        hasWill = flags & 4 != 0
        keepAlive = Int(try reader.number(bytes: 2))
        properties = version == .v5 ? try reader.properties() : [:]
        clientID = try reader.string()
    }
}

/// Reads the fields of a packet one after the other.
private struct ByteReader {
    var bytes: ArraySlice<UInt8>

    mutating func byte() throws(TestSupportError) -> UInt8 {
        guard let byte = bytes.popFirst() else { throw TestSupportError("the packet is too short") }
        return byte
    }

    mutating func number(bytes count: Int) throws(TestSupportError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count { value = value << 8 | UInt32(try byte()) }
        return value
    }

    mutating func variableLength() throws(TestSupportError) -> Int {
        var value = 0
        var shift = 0
        while true {
            let byte = try byte()
            value |= Int(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 { return value }
        }
    }

    mutating func string() throws(TestSupportError) -> String {
        let length = Int(try number(bytes: 2))
        guard bytes.count >= length else { throw TestSupportError("the packet is too short") }
        defer { bytes = bytes.dropFirst(length) }
        return String(decoding: bytes.prefix(length), as: UTF8.self)
    }

    mutating func properties() throws(TestSupportError) -> [UInt8: UInt32] {
        let length = try variableLength()
        let end = bytes.startIndex + length
        var values: [UInt8: UInt32] = [:]
        while bytes.startIndex < end {
            let identifier = try byte()
            switch identifier {
            case 0x01, 0x17, 0x19: values[identifier] = UInt32(try byte())
            case 0x21, 0x22: values[identifier] = try number(bytes: 2)
            case 0x02, 0x11, 0x18, 0x27: values[identifier] = try number(bytes: 4)
            case 0x26:
                _ = try string()
                _ = try string()
            default: _ = try string()
            }
        }
        return values
    }
}
