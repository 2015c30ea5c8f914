internal import DeviceDomain

/// A recursive parser over bytes. Violations of the grammar are thrown; a duplicate member or a
/// number that is too large is recorded as the ``defect`` and parsing continues, because a device must
/// still learn whom to tell (PROTOCOL section 3, rule 2).
///
/// Its owner has checked the depth before.
struct JSONParser {
    let bytes: [UInt8]
    var index = 0
    /// The first error in the content of a grammatically valid text.
    private(set) var defect: PayloadError?

    private let largeIntegers: JSONLargeIntegers

    init(_ bytes: [UInt8], _ largeIntegers: JSONLargeIntegers = .rounded) {
        self.bytes = bytes
        self.largeIntegers = largeIntegers
    }

    /// Parses the whole text as one value.
    mutating func parseText() throws(PayloadError) -> JSONValue {
        let value = try parseValue()
        try expectEnd()
        return value
    }

    /// Parses the whole text as an object whose members are wanted in order.
    mutating func parseMembersOfText() throws(PayloadError) -> [JSONMember] {
        skipSpace()
        guard current == ASCII.openBrace else {
            _ = try parseText()
            throw PayloadError(code: .wrongType, message: "a payload must be an object")
        }
        let members = try parseMembers()
        try expectEnd()
        return members
    }

    /// The byte at the index; 0, which JSON nowhere allows, at the end.
    var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

    mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    func malformed(_ message: String) -> PayloadError {
        error(.malformed, message, at: index)
    }

    func error(_ code: PayloadError.Code, _ message: String, at offset: Int) -> PayloadError {
        PayloadError(
            code: code, path: JSONLocator.path(to: offset, in: bytes), message: message,
            offset: offset)
    }

    mutating func note(_ code: PayloadError.Code, _ message: String, at offset: Int) {
        if defect == nil { defect = error(code, message, at: offset) }
    }

    private mutating func expectEnd() throws(PayloadError) {
        skipSpace()
        guard index == bytes.count else { throw malformed("something follows the value") }
    }
}

extension JSONParser {
    mutating func parseValue() throws(PayloadError) -> JSONValue {
        skipSpace()
        switch current {
        case ASCII.openBrace: return .object(try parseObject())
        case ASCII.openBracket: return .array(try parseArray())
        case ASCII.quote: return .string(try parseString())
        case ASCII.minus, ASCII.digits: return try parseNumberValue()
        case UInt8(ascii: "t"): return try parseLiteral("true", .boolean(true))
        case UInt8(ascii: "f"): return try parseLiteral("false", .boolean(false))
        case UInt8(ascii: "n"): return try parseLiteral("null", .null)
        default:
            throw malformed(index < bytes.count ? "this is no JSON value" : "a value is missing")
        }
    }

    private mutating func parseNumberValue() throws(PayloadError) -> JSONValue {
        let start = index
        let number = try parseNumber()
        guard largeIntegers == .digits, number.magnitude > Double(JSONValue.largestInteger) else {
            return .number(number)
        }
        let text = bytes[start..<index]
        let isWhole = text.dropFirst(bytes[start] == ASCII.minus ? 1 : 0)
            .allSatisfy(ASCII.digits.contains)
        return isWhole ? .string(String(decoding: text, as: UTF8.self)) : .number(number)
    }

    private mutating func parseLiteral(
        _ word: StaticString, _ value: JSONValue
    ) throws(PayloadError) -> JSONValue {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count,
            word.withUTF8Buffer({ bytes[index..<end].elementsEqual($0) })
        else { throw malformed("this is no JSON value") }
        index = end
        return value
    }

    private mutating func parseArray() throws(PayloadError) -> [JSONValue] {
        var values: [JSONValue] = []
        var goesOn = entersContainer(closedBy: ASCII.closeBracket)
        while goesOn {
            values.append(try parseValue())
            goesOn = try continuesContainer(closedBy: ASCII.closeBracket)
        }
        return values
    }

    private mutating func parseObject() throws(PayloadError) -> JSONObject {
        var members: JSONObject = [:]
        var goesOn = entersContainer(closedBy: ASCII.closeBrace)
        while goesOn {
            let (name, offset) = try parseName()
            let value = try parseValue()
            if members.updateValue(value, forKey: name) != nil { noteDuplicate(name, at: offset) }
            goesOn = try continuesContainer(closedBy: ASCII.closeBrace)
        }
        return members
    }

    private mutating func parseMembers() throws(PayloadError) -> [JSONMember] {
        var members: [JSONMember] = []
        members.reserveCapacity(16)
        var names = NameSet()
        var goesOn = entersContainer(closedBy: ASCII.closeBrace)
        while goesOn {
            let (name, offset) = try parseName()
            members.append(JSONMember(name: name, value: try parseValue()))
            if !names.insert(name) { noteDuplicate(name, at: offset) }
            goesOn = try continuesContainer(closedBy: ASCII.closeBrace)
        }
        return members
    }

    private mutating func noteDuplicate(_ name: String, at offset: Int) {
        note(.duplicateMember, "the member \(name.debugDescription) comes twice", at: offset)
    }

    /// Skips an opening bracket, and the closing one if the container is empty.
    /// - Returns: whether the container has contents.
    private mutating func entersContainer(closedBy close: UInt8) -> Bool {
        index += 1
        skipSpace()
        guard current == close else { return true }
        index += 1
        return false
    }

    /// Goes past a comma or the closing bracket.
    /// - Returns: whether another value follows.
    private mutating func continuesContainer(closedBy close: UInt8) throws(PayloadError) -> Bool {
        skipSpace()
        guard current == ASCII.comma || current == close else {
            throw malformed("a comma or a closing bracket is missing")
        }
        defer { index += 1 }
        return current == ASCII.comma
    }

    private mutating func parseName() throws(PayloadError) -> (name: String, offset: Int) {
        skipSpace()
        guard current == ASCII.quote else { throw malformed("a member's name is missing") }
        let offset = index
        let name = try parseString()
        skipSpace()
        guard current == ASCII.colon else { throw malformed("a colon is missing") }
        index += 1
        return (name, offset)
    }
}

/// The names of one object: compared one by one while they are few, hashed beyond that, so that
/// neither an ordinary payload nor a hostile one is slow.
private struct NameSet {
    private var few: [String] = []
    private var many: Set<String> = []
    private static let fewAtMost = 24

    init() { few.reserveCapacity(Self.fewAtMost) }

    /// Adds a name.
    /// - Returns: whether it is new.
    mutating func insert(_ name: String) -> Bool {
        if few.contains(name) { return false }
        guard few.count == Self.fewAtMost else {
            few.append(name)
            return true
        }
        return many.insert(name).inserted
    }
}
