extension JSONParser {
    /// Parses a string; the index is at its opening quote.
    mutating func parseString() throws(PayloadError) -> String {
        let start = index + 1
        index = start
        while index < bytes.count {
            switch bytes[index] {
            case ASCII.quote:
                defer { index += 1 }
                return try text(bytes[start..<index], at: start)
            case ASCII.backslash: return try parseEscapedString(from: start)
            case ..<ASCII.firstPrintable: throw malformed("a control character is not escaped")
            default: index += 1
            }
        }
        throw malformed("a string does not end")
    }

    /// Goes on with a string whose first escape is at the index.
    private mutating func parseEscapedString(from start: Int) throws(PayloadError) -> String {
        var buffer = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case ASCII.quote:
                index += 1
                return try text(buffer[...], at: start)
            case ASCII.backslash: try parseEscape(into: &buffer)
            case ..<ASCII.firstPrintable: throw malformed("a control character is not escaped")
            default:
                buffer.append(byte)
                index += 1
            }
        }
        throw malformed("a string does not end")
    }

    private func text(_ slice: ArraySlice<UInt8>, at start: Int) throws(PayloadError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw error(.notUTF8, "a string is not UTF-8", at: start)
        }
        return text
    }

    /// Goes past an escape; the index is at its backslash.
    private mutating func parseEscape(into buffer: inout [UInt8]) throws(PayloadError) {
        index += 1
        let kind = current
        index += 1
        switch kind {
        case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"): buffer.append(kind)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer.append(contentsOf: String(try parseUnicodeEscape()).utf8)
        default:
            index -= 1
            throw malformed("there is no such escape")
        }
    }

    /// Parses the digits after `\u`, with the second half of a pair where they are its first.
    private mutating func parseUnicodeEscape() throws(PayloadError) -> Character {
        let start = index
        let unit = try parseHexadecimal()
        if let scalar = Unicode.Scalar(unit) { return Character(scalar) }
        if unit < 0xDC00, current == ASCII.backslash {
            index += 1
            if current == UInt8(ascii: "u") {
                index += 1
                let low = try parseHexadecimal()
                if (0xDC00..<0xE000).contains(low), let scalar = Self.scalar(high: unit, low: low) {
                    return Character(scalar)
                }
            }
        }
        throw error(.notUTF8, "half of a surrogate pair stands alone", at: start)
    }

    private static func scalar(high: UInt32, low: UInt32) -> Unicode.Scalar? {
        Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    }

    private mutating func parseHexadecimal() throws(PayloadError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Self.hexadecimalDigit(current) else {
                throw malformed("\\u needs four hexadecimal digits")
            }
            value = value << 4 | digit
            index += 1
        }
        return value
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case ASCII.digits: UInt32(byte - ASCII.zero)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
