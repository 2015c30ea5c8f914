/// The fields of one Protocol Buffers message (proto3), as the messages of provisioning need them: varints,
/// bytes and messages within messages.
///
/// Unknown fields are skipped, and of a field that comes twice the last one holds, as the encoding demands.
struct ProtobufMessage {
    private enum Value {
        case varint(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// A number of four or eight bytes, which no message of provisioning has.
        case fixed
    }

    private let fields: [(number: UInt64, value: Value)]

    /// Reads all of `bytes`.
    /// - Throws: ``ProvisioningProtocolError`` with code `malformed`.
    init(_ bytes: ArraySlice<UInt8>) throws(ProvisioningProtocolError) {
        var reader = ProtobufReader(bytes)
        var fields: [(UInt64, Value)] = []
        while !reader.isAtEnd {
            let key = try reader.varint()
            let number = key >> 3
            guard (1...536_870_911).contains(number) else {
                throw .malformed("a field has the number \(number)")
            }
            switch key & 7 {
            case 0: fields.append((number, .varint(try reader.varint())))
            case 1:
                _ = try reader.take(8)
                fields.append((number, .fixed))
            case 2:
                let count = try reader.varint()
                fields.append((number, .bytes(try reader.take(count))))
            case 5:
                _ = try reader.take(4)
                fields.append((number, .fixed))
            case let type: throw .malformed("field \(number) has the wire type \(type)")
            }
        }
        self.fields = fields
    }

    /// A number; 0 where there is none.
    func number(_ field: UInt64) throws(ProvisioningProtocolError) -> UInt64 {
        guard let value = fields.last(where: { $0.number == field })?.value else { return 0 }
        guard case .varint(let number) = value else { throw .wrongType(of: field) }
        return number
    }

    /// A number that is not negative and fits in 32 bits; 0 where there is none.
    func count(_ field: UInt64) throws(ProvisioningProtocolError) -> Int {
        let number = try number(field)
        guard number <= UInt64(UInt32.max) else {
            throw .malformed("field \(field) is out of range")
        }
        return Int(number)
    }

    /// A truth value; false where there is none.
    func flag(_ field: UInt64) throws(ProvisioningProtocolError) -> Bool {
        try number(field) != 0
    }

    /// A case of an enumeration; that of 0 where there is none.
    func choice<Choice: RawRepresentable<Int>>(
        _ field: UInt64, _: Choice.Type = Choice.self
    ) throws(ProvisioningProtocolError) -> Choice {
        let number = try count(field)
        guard let choice = Choice(rawValue: number) else {
            throw .malformed("field \(field) has the value \(number), which nothing stands for")
        }
        return choice
    }

    /// Bytes; none where there are none.
    func bytes(_ field: UInt64) throws(ProvisioningProtocolError) -> [UInt8] {
        try optionalBytes(field).map { Array($0) } ?? []
    }

    /// Text in UTF-8; empty where there is none.
    func text(_ field: UInt64) throws(ProvisioningProtocolError) -> String {
        guard let text = String(validating: try bytes(field), as: UTF8.self) else {
            throw .malformed("field \(field) is not UTF-8")
        }
        return text
    }

    /// Whether a field is there.
    func has(_ field: UInt64) -> Bool { fields.contains { $0.number == field } }

    /// A message; an empty one where there is none.
    func message(_ field: UInt64) throws(ProvisioningProtocolError) -> ProtobufMessage {
        try ProtobufMessage(try optionalBytes(field) ?? [])
    }

    /// Every message of a repeated field.
    func messages(_ field: UInt64) throws(ProvisioningProtocolError) -> [ProtobufMessage] {
        var messages: [ProtobufMessage] = []
        for (number, value) in fields where number == field {
            guard case .bytes(let bytes) = value else { throw .wrongType(of: field) }
            messages.append(try ProtobufMessage(bytes))
        }
        return messages
    }

    private func optionalBytes(
        _ field: UInt64
    ) throws(ProvisioningProtocolError) -> ArraySlice<UInt8>? {
        guard let value = fields.last(where: { $0.number == field })?.value else { return nil }
        guard case .bytes(let bytes) = value else { throw .wrongType(of: field) }
        return bytes
    }
}

/// Takes values from the bytes of a message.
private struct ProtobufReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func varint() throws(ProvisioningProtocolError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw .malformed("it ends within a number") }
            guard shift < 63 || byte <= 1 else { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw .malformed("a number has more than 64 bits")
    }

    mutating func take(_ count: UInt64) throws(ProvisioningProtocolError) -> ArraySlice<UInt8> {
        guard count <= UInt64(rest.count) else { throw .malformed("it ends within a field") }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}

extension ProvisioningProtocolError {
    /// Bytes that are no message.
    static func malformed(_ reason: String) -> ProvisioningProtocolError {
        ProvisioningProtocolError(.malformed, "not a message of provisioning: \(reason)")
    }

    fileprivate static func wrongType(of field: UInt64) -> ProvisioningProtocolError {
        malformed("field \(field) has the wrong type")
    }
}
