public import DeviceDomain

/// Reads JSON strictly (RFC 8259): UTF-8 without byte order mark, no duplicate members, finite
/// numbers, no lone surrogates, nothing after the value.
public enum JSONReader {
    /// Reads one JSON text.
    /// - Throws: ``PayloadError`` of the first thing that is wrong: size and depth first, since
    ///   they are checked before anything is parsed.
    public static func read(
        _ bytes: [UInt8], limits: JSONLimits = .wire, largeIntegers: JSONLargeIntegers = .rounded
    ) throws(PayloadError) -> JSONValue {
        try limits.check(bytes)
        var parser = JSONParser(bytes, largeIntegers)
        let value = try parser.parseText()
        if let defect = parser.defect { throw defect }
        return value
    }
}

/// What is read of a whole number that a double does not hold exactly: one beyond 2⁵³ − 1 that is written without
/// fraction and exponent.
public enum JSONLargeIntegers: Hashable, Sendable {
    /// The nearest double.
    case rounded
    /// A string of its digits, with its sign.
    case digits
}

/// A member of an object, in the order of the text.
struct JSONMember: Sendable {
    let name: String
    let value: JSONValue
}

/// An object as it was written: its members in order, and what is wrong with its content although
/// its grammar is right.
struct JSONDocument: Sendable {
    /// The members; where a name is doubled, each of them.
    let members: [JSONMember]
    /// The first duplicate member or number beyond a double's range, anywhere in the text.
    let defect: PayloadError?

    /// Reads an object within the limits of the wire.
    /// - Throws: ``PayloadError`` unless the bytes are JSON and an object.
    init(_ bytes: [UInt8]) throws(PayloadError) {
        try JSONLimits.wire.check(bytes)
        var parser = JSONParser(bytes)
        members = try parser.parseMembersOfText()
        defect = parser.defect
    }
}
