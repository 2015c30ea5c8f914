extension JSONParser {
    /// Parses a number; the index is at its first byte. One beyond a double's range is recorded as
    /// a defect and parsed as infinity, so that it is not mistaken for another number.
    mutating func parseNumber() throws(PayloadError) -> Double {
        let start = index
        var decimal = DecimalNumber()
        if current == ASCII.minus {
            decimal.isNegative = true
            index += 1
        }
        try parseWholePart(into: &decimal)
        try parseFraction(into: &decimal)
        try parseExponent(into: &decimal)
        if let value = decimal.exactValue { return value }
        return roundedNumber(from: start)
    }

    private mutating func parseWholePart(into decimal: inout DecimalNumber) throws(PayloadError) {
        let hasLeadingZero = current == ASCII.zero
        let count = parseDigits { decimal.append($0) }
        guard count > 0 else { throw malformed("a digit is missing") }
        if hasLeadingZero, count > 1 { throw malformed("a number must not begin with 0") }
    }

    private mutating func parseFraction(into decimal: inout DecimalNumber) throws(PayloadError) {
        guard current == ASCII.point else { return }
        index += 1
        let count = parseDigits { decimal.append($0) }
        guard count > 0 else { throw malformed("a digit is missing") }
        decimal.exponent -= count
    }

    private mutating func parseExponent(into decimal: inout DecimalNumber) throws(PayloadError) {
        guard current == UInt8(ascii: "e") || current == UInt8(ascii: "E") else { return }
        index += 1
        let isNegative = current == ASCII.minus
        if isNegative || current == ASCII.plus { index += 1 }
        var exponent = 0
        let count = parseDigits { exponent = min(exponent * 10 + Int($0), 1_000_000) }
        guard count > 0 else { throw malformed("a digit is missing") }
        decimal.exponent += isNegative ? -exponent : exponent
    }

    /// Goes past digits.
    /// - Returns: how many there were.
    private mutating func parseDigits(_ each: (UInt8) -> Void) -> Int {
        let start = index
        while index < bytes.count, ASCII.digits.contains(bytes[index]) {
            each(bytes[index] - ASCII.zero)
            index += 1
        }
        return index - start
    }

    private mutating func roundedNumber(from start: Int) -> Double {
        let value = Double(String(decoding: bytes[start..<index], as: UTF8.self))
        guard let value, value.isFinite else {
            note(.notFinite, "the number is too large", at: start)
            return .infinity
        }
        return value
    }
}

/// A decimal number on its way to a double.
private struct DecimalNumber {
    var isNegative = false
    var exponent = 0
    private var significand: UInt64 = 0

    /// Adds a digit to the right.
    mutating func append(_ digit: UInt8) {
        guard significand <= Self.largestExact else { return }
        significand = significand * 10 + UInt64(digit)
    }

    /// The double, where one correctly rounded operation gives it: the significand and the power
    /// of ten are both exact (Clinger, "How to read floating point numbers accurately", 1990).
    var exactValue: Double? {
        guard significand <= Self.largestExact, exponent.magnitude < Self.powers.count else {
            return nil
        }
        let power = Self.powers[Int(exponent.magnitude)]
        let value = exponent < 0 ? Double(significand) / power : Double(significand) * power
        return isNegative ? -value : value
    }

    private static let largestExact: UInt64 = 1 << 53
    /// The powers of ten that a double holds exactly: 10⁰ to 10²².
    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
