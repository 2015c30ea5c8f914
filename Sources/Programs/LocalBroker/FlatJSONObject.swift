/// A JSON object whose values are strings, whole numbers, booleans or null: all that a meeting
/// point needs. Nested values, duplicate members and escapes beyond the simple ones are refused.
package struct FlatJSONObject {
    /// A value of such an object.
    package enum Value: Equatable {
        /// A string.
        case text(String)
        /// A whole number.
        case integer(Int)
        /// `true`, `false` or `null`, which no member here uses.
        case other
    }

    /// The members by name.
    package private(set) var members: [String: Value] = [:]
    private var rest: ArraySlice<UInt8>

    /// Reads one, nil where the bytes are anything else.
    package init?(_ bytes: [UInt8]) {
        rest = bytes[...]
        guard readMembers() else { return nil }
        skipSpace()
        guard rest.isEmpty else { return nil }
    }

    /// An object on one line, its members in this order.
    package static func bytes(_ members: [(name: String, value: Value)]) -> [UInt8] {
        let texts = members.map { "\(quoted($0.name)):\($0.value.json)" }
        return Array("{\(texts.joined(separator: ","))}\n".utf8)
    }

    /// The text as a JSON string.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private mutating func readMembers() -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        repeat {
            skipSpace()
            guard let name = readString(), take(":"), let value = readValue(),
                members.updateValue(value, forKey: name) == nil
            else { return false }
        } while take(",")
        return take("}")
    }

    private mutating func readValue() -> Value? {
        skipSpace()
        if rest.first == UInt8(ascii: "\"") { return readString().map(Value.text) }
        let word = rest.prefix { $0 >= 0x2B && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }
        rest = rest.dropFirst(word.count)
        let text = String(decoding: word, as: UTF8.self)
        if ["true", "false", "null"].contains(text) { return .other }
        guard text.first != "+", let number = Int(text), String(number) == text else { return nil }
        return .integer(number)
    }

    private mutating func readString() -> String? {
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = readEscape() else { return nil }
                bytes.append(escaped)
            case 0..<0x20: return nil
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private mutating func readEscape() -> UInt8? {
        switch rest.popFirst() {
        case UInt8(ascii: "\""): UInt8(ascii: "\"")
        case UInt8(ascii: "\\"): UInt8(ascii: "\\")
        case UInt8(ascii: "/"): UInt8(ascii: "/")
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        default: nil
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() {
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}

extension FlatJSONObject.Value {
    fileprivate var json: String {
        switch self {
        case .text(let text): FlatJSONObject.quoted(text)
        case .integer(let number): String(number)
        case .other: "null"
        }
    }
}
