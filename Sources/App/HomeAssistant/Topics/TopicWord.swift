/// A name from a device as a part of a topic, an id or a template of Home Assistant.
///
/// Home Assistant allows letters, digits, `_` and `-` in the levels of a discovery topic. Every other
/// byte, and `_`, becomes `_` and two hexadecimal digits, so that two names never become the same.
enum TopicWord {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The name as letters, digits, `-` and `_` only.
    static func escaping(_ name: String) -> String {
        let bytes = name.utf8.flatMap { byte in
            isPlain(byte)
                ? [byte] : [UInt8(ascii: "_"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a byte is a letter of ASCII, a digit or a hyphen.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
