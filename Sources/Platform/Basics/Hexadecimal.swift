extension UInt64 {
    /// The number as 16 lower-case hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension [UInt8] {
    /// The bytes as lower-case hexadecimal digits, two for each.
    // Of arrays alone: generic over sequences it is not specialized for other modules, and was a quarter
    // of the instructions of a command.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            for (index, byte) in enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 0xF)
            }
            return 2 * count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Reads hexadecimal digits of either case; `nil` for any other text.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        self = stride(from: 0, to: values.count, by: 2).map {
            UInt8(values[$0] << 4 | values[$0 + 1])
        }
    }
}
