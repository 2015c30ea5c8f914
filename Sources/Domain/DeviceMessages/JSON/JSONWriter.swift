public import DeviceDomain

/// Writes JSON in one canonical form: no space, members of dynamic objects in the order of their
/// names, whole numbers without fraction, only the escapes that JSON requires.
public struct JSONWriter: Sendable {
    /// What was written.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// A writer with nothing written.
    public init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// A writer that goes on within an object whose first members were written before.
    init(goingOnAfter members: [UInt8], reserving capacity: Int) {
        bytes.reserveCapacity(capacity)
        bytes += members
        needsComma = true
    }

    /// The canonical bytes of a value.
    /// - Precondition: every number is finite.
    public static func write(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(value)
        return writer.bytes
    }

    /// Writes a value.
    /// - Precondition: every number is finite.
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: writeWord("null")
        case .boolean(let flag): writeWord(flag ? "true" : "false")
        case .number(let number): write(number)
        case .string(let text): write(text)
        case .array(let values): writeArray(values) { $0.write($1) }
        case .object(let members): write(members)
        }
    }

    /// Writes an object, its members in the order of their names.
    public mutating func write(_ members: JSONObject) {
        writeObject { writer in
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                writer.writeName(name)
                writer.write(value)
            }
        }
    }

    /// Ends the object within which the writer began.
    mutating func endObject() { bytes.append(ASCII.closeBrace) }

    /// Writes an object whose members `body` writes, each with ``writeName(_:)`` before it.
    public mutating func writeObject(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(ASCII.openBrace)
        needsComma = false
        body(&self)
        bytes.append(ASCII.closeBrace)
        needsComma = true
    }

    /// Writes an array whose items `each` writes.
    public mutating func writeArray<Item>(
        _ items: [Item], _ each: (inout JSONWriter, Item) -> Void
    ) {
        separate()
        bytes.append(ASCII.openBracket)
        needsComma = false
        for item in items { each(&self, item) }
        bytes.append(ASCII.closeBracket)
        needsComma = true
    }

    /// Writes the name of a member; its value must follow.
    public mutating func writeName(_ name: String) {
        var name = name
        name.withUTF8 { write($0, isName: true) }
        needsComma = false
    }

    /// Writes a string.
    public mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { write($0, isName: false) }
        needsComma = true
    }

    /// Writes a whole number.
    public mutating func write(_ number: Int) { writeDigits(of: number) }

    /// Writes a whole number without sign, beyond 53 bits too.
    public mutating func write(_ number: UInt64) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Writes a number, without fraction where it has none.
    /// - Precondition: the number is finite, for JSON has no other.
    public mutating func write(_ number: Double) {
        precondition(number.isFinite, "JSON has no numbers that are not finite")
        if let whole = Int(exactly: number) {
            writeDigits(of: whole)
        } else if let thousandths = Self.thousandths(of: number) {
            writeDigits(of: thousandths, decimals: 3)
        } else {
            separate()
            bytes.append(contentsOf: number.description.utf8)
        }
    }

    /// Writes a number rounded to a few decimals, as ``write(_:)`` writes the rounded one.
    /// - Parameter decimals: 0 to 3.
    /// - Precondition: the number is finite.
    package mutating func write(_ number: Double, decimals: Int) {
        let factor = decimals == 0 ? 1.0 : decimals == 1 ? 10 : decimals == 2 ? 100 : 1000
        let scaled = (number * factor).rounded()
        guard scaled.magnitude < Self.mostExact else { return write(scaled / factor) }
        writeDigits(of: Int(scaled), decimals: decimals)
    }

    /// Writes a value that was written before, on its own.
    package mutating func write(written value: [UInt8]) {
        separate()
        bytes += value
    }

    /// Writes a truth value.
    public mutating func write(_ flag: Bool) { writeWord(flag ? "true" : "false") }

    /// Writes `null`.
    public mutating func writeNull() { writeWord("null") }
}

extension JSONWriter {
    private mutating func separate() {
        if needsComma { bytes.append(ASCII.comma) }
        needsComma = true
    }

    private mutating func writeWord(_ word: StaticString) {
        separate()
        word.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes a whole number of units of the last decimal, without the zeros at its end.
    private mutating func writeDigits(of number: Int, decimals: Int = 0) {
        let isSeparated = needsComma
        needsComma = true
        bytes.append(addingCapacity: Self.mostDigits + 3) { output in
            if isSeparated { output.append(ASCII.comma) }
            if number < 0 { output.append(ASCII.minus) }
            var digits = InlineArray<20, UInt8>(repeating: ASCII.zero)
            var (first, rest) = (Self.mostDigits, number.magnitude)
            repeat {
                first -= 1
                digits[first] += UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            let point = Self.mostDigits - decimals
            for place in min(first, point - 1)..<point { output.append(digits[place]) }
            var end = Self.mostDigits
            while end > point, digits[end - 1] == ASCII.zero { end -= 1 }
            guard end > point else { return }
            output.append(ASCII.point)
            for place in point..<end { output.append(digits[place]) }
        }
    }

    /// Of the largest number of 64 bits.
    private static let mostDigits = 20
    /// Below this, a decimal has at most 15 digits.
    private static let mostExact = 1e15

    /// A number that is not whole in thousandths, if it is the double nearest to a whole number of them.
    ///
    /// Then the digits of that decimal are those of `description`, the fewest that read as this number again: two
    /// decimals of at most 15 digits are never one double (IEEE 754, binary64).
    private static func thousandths(of number: Double) -> Int? {
        let scaled = (number * 1000).rounded()
        guard scaled.magnitude < mostExact, scaled / 1000 == number else { return nil }
        return Int(scaled)
    }

    /// Writes a string, after a comma where one is needed; a colon follows a name.
    private mutating func write(_ utf8: UnsafeBufferPointer<UInt8>, isName: Bool) {
        guard utf8.allSatisfy(Self.isPlain) else { return writeEscaped(utf8, isName: isName) }
        let isSeparated = needsComma
        bytes.append(addingCapacity: utf8.count + 4) { output in
            if isSeparated { output.append(ASCII.comma) }
            output.append(ASCII.quote)
            output.withUnsafeMutableBufferPointer { buffer, count in
                let end = buffer[count...].initialize(fromContentsOf: utf8)
                count = end
            }
            output.append(ASCII.quote)
            if isName { output.append(ASCII.colon) }
        }
    }

    private mutating func writeEscaped(_ utf8: UnsafeBufferPointer<UInt8>, isName: Bool) {
        separate()
        bytes.append(ASCII.quote)
        for byte in utf8 { writeInString(byte) }
        bytes.append(ASCII.quote)
        if isName { bytes.append(ASCII.colon) }
    }

    /// Whether a byte stands for itself in a string.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= ASCII.firstPrintable && byte != ASCII.quote && byte != ASCII.backslash
    }

    private mutating func writeInString(_ byte: UInt8) {
        switch byte {
        case ASCII.quote, ASCII.backslash:
            bytes.append(ASCII.backslash)
            bytes.append(byte)
        case ..<ASCII.firstPrintable: writeEscaped(byte)
        default: bytes.append(byte)
        }
    }

    private mutating func writeEscaped(_ control: UInt8) {
        bytes.append(ASCII.backslash)
        switch control {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(ASCII.zero + control >> 4)
            bytes.append(contentsOf: String(control & 0xF, radix: 16).utf8)
        }
    }
}
