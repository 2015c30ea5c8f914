/// Validates strings as MQTT 5 section 1.5.4 and the wrapped library require.
enum MQTTString {
    /// The longest string the protocol can carry, in bytes of UTF-8.
    static let maximumLength = 65_535

    /// Throws unless `text` has 1 to 65,535 bytes and no NUL, control character or non-character.
    static func validate(_ text: String, as what: StaticString) throws(MQTTError) {
        guard !text.isEmpty else {
            throw .invalid("\(what) is empty: it needs at least one character")
        }
        try validateContents(text, as: what)
    }

    /// As ``validate(_:as:)``, but an empty string passes.
    static func validateContents(_ text: String, as what: StaticString) throws(MQTTError) {
        guard text.utf8.count <= maximumLength else {
            throw .invalid(
                "\(what) has \(text.utf8.count) bytes: MQTT allows at most \(maximumLength)")
        }
        let isAllPlain = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPlain) }
        guard isAllPlain == true || text.unicodeScalars.allSatisfy(isAllowed) else {
            throw .invalid("\(what) contains a control character or NUL: remove it")
        }
    }

    /// Throws for binary data whose length does not fit into the two-byte length field.
    static func validate(_ data: [UInt8], as what: StaticString) throws(MQTTError) {
        guard data.count <= maximumLength else {
            throw .invalid("\(what) has \(data.count) bytes: MQTT allows at most \(maximumLength)")
        }
    }

    /// Whether the bytes are equal, as brokers compare strings. Swift also compares canonical equivalents as
    /// equal.
    static func areIdentical(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8)
    }

    /// The hash that matches ``areIdentical(_:_:)``.
    static func hash(_ text: String, into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0xFDD0...0xFDEF: false
        case let value: value & 0xFFFE != 0xFFFE
        }
    }
}
