/// Reads the fields of a packet one after the other.
struct ByteReader {
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

    mutating func data() throws(TestSupportError) -> [UInt8] {
        let length = Int(try number(bytes: 2))
        guard bytes.count >= length else { throw TestSupportError("the packet is too short") }
        defer { bytes = bytes.dropFirst(length) }
        return Array(bytes.prefix(length))
    }

    mutating func string() throws(TestSupportError) -> String {
        String(decoding: try data(), as: UTF8.self)
    }

    mutating func properties() throws(TestSupportError) -> [FakeBrokerProperty] {
        let length = try variableLength()
        let end = bytes.startIndex + length
        var properties: [FakeBrokerProperty] = []
        while bytes.startIndex < end {
            let identifier = try byte()
            properties.append(FakeBrokerProperty(identifier, try value(of: identifier)))
        }
        return properties
    }

    private mutating func value(
        of identifier: UInt8
    ) throws(TestSupportError) -> FakeBrokerProperty.Value {
        switch FakeBrokerProperty.width(of: identifier) {
        case .bytes(let count): return .number(try number(bytes: count))
        case .variable: return .number(UInt32(try variableLength()))
        case nil: break
        }
        return switch identifier {
        case 0x26: .pair(try string(), try string())
        case 0x09, 0x16: .data(try data())
        default: .text(try string())
        }
    }
}
