import MQTTClient

/// Takes values from the bytes of an input; zeros when there are none left.
struct FuzzReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func short() -> UInt16 { UInt16(byte()) << 8 | UInt16(byte()) }

    mutating func number() -> UInt32 {
        (0..<4).reduce(0) { value, _ in value << 8 | UInt32(byte()) }
    }

    mutating func data() -> [UInt8] {
        let count = min(Int(byte()), bytes.count)
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    /// A string that MQTT allows.
    mutating func text() -> String {
        var text = String(decoding: data(), as: UTF8.self)
        text.unicodeScalars.removeAll { scalar in
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || (0xFDD0...0xFDEF).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE
        }
        return text
    }
}

/// A PUBLISH of version 5 and what it says.
struct FuzzPublish {
    private(set) var properties = MQTTProperties()
    let payload: [UInt8]
    private var list: [UInt8] = []

    init(_ reader: inout FuzzReader) {
        let choice = reader.byte()
        payload = reader.data()
        if choice & 0x01 != 0 {
            properties.isUTF8 = reader.byte() & 1 == 1
            list += [0x01, properties.isUTF8 == true ? 1 : 0]
        }
        if choice & 0x02 != 0 {
            let seconds = reader.number()
            properties.messageExpirySeconds = seconds
            list += [0x02] + (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * $0)) }
        }
        if choice & 0x04 != 0 {
            let type = reader.text()
            properties.contentType = type
            list += [0x03] + Self.sized(Array(type.utf8))
        }
        if choice & 0x08 != 0 {
            let data = reader.data()
            properties.correlationData = data
            list += [0x09] + Self.sized(data)
        }
        if choice & 0x10 != 0, let topic = try? MQTTTopic(reader.text()) {
            properties.responseTopic = topic
            list += [0x08] + Self.sized(Array(topic.rawValue.utf8))
        }
        for _ in 0..<choice >> 5 {
            let (name, value) = (reader.text(), reader.text())
            properties.userProperties.append(.init(name: name, value: value))
            list += [0x26] + Self.sized(Array(name.utf8)) + Self.sized(Array(value.utf8))
        }
    }

    /// What a client makes of the properties, which leaves out an empty content type.
    var sentPropertyBytes: Int { list.count - (properties.contentType == "" ? 3 : 0) }

    var packet: [UInt8] {
        let body = [0, 1, 0x61] + Self.variable(list.count) + list + payload
        return [0x30] + Self.variable(body.count) + body
    }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    private static func variable(_ count: Int) -> [UInt8] {
        count < 128 ? [UInt8(count)] : [UInt8(count & 0x7F | 0x80)] + variable(count >> 7)
    }
}
