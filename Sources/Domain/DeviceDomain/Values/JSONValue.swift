/// A value of the JSON data model (RFC 8259), as it crosses a device's boundary: a command's
/// arguments, a result, a member of a state.
///
/// There is one kind of number: every integer of the protocol fits in 53 bits and is exact as a
/// `Double`, and PROTOCOL section 2 makes `1.0` and `1` the same value.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`; never a number.
    case boolean(Bool)
    /// A finite number.
    case number(Double)
    /// Text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Members by name; names are unique.
    case object(JSONObject)
}

/// The members of a JSON object by name.
public typealias JSONObject = [String: JSONValue]

extension JSONValue {
    /// The largest magnitude of an integer of the protocol: 2⁵³ − 1.
    public static let largestInteger = 9_007_199_254_740_991

    /// A whole number.
    /// - Precondition: `value` fits in 53 bits.
    public static func integer(_ value: Int) -> JSONValue {
        precondition(abs(value) <= largestInteger, "integers of the protocol fit in 53 bits")
        return .number(Double(value))
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value, if this is a boolean.
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// The number, if this is one.
    public var number: Double? { if case .number(let value) = self { value } else { nil } }

    /// The whole number, if this is a number with zero fraction that fits in 53 bits.
    public var integer: Int? {
        guard let number, number.magnitude <= Double(Self.largestInteger) else { return nil }
        return Int(exactly: number)
    }

    /// The text, if this is a string.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The values, if this is an array.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members, if this is an object.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements) { first, _ in first })
    }
}
