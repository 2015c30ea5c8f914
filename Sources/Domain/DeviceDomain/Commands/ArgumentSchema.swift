/// The part of JSON Schema that describes arguments: `type enum minimum maximum required items
/// properties additionalProperties` (PROTOCOL section 2), and `writeOnly`.
///
/// Devices declare it, controllers check against it before they send, and the same check is the
/// first one that a simulated device makes.
public struct ArgumentSchema: Hashable, Sendable {
    /// The JSON type that a value must have.
    public enum ValueType: String, Hashable, Sendable, CaseIterable {
        case object, array, string, number, integer, boolean, null
    }

    /// A value with a name, such as 65535 for `previous`.
    public struct Preset: Hashable, Sendable {
        /// The name, which may be given in place of the value.
        public let name: String
        /// The value that the device gets.
        public let value: JSONValue

        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The type that the value must have; `nil` allows every type.
    public var type: ValueType?
    /// The values that are allowed; `nil` allows every value of the type.
    public var allowed: [JSONValue]?
    /// The smallest number that is allowed.
    public var minimum: Double?
    /// The largest number that is allowed.
    public var maximum: Double?
    /// The most bytes of a text in UTF-8, or the most items of an array. No keyword of PROTOCOL section 2: only
    /// channels that know such limits set it.
    public var longest: Int?
    /// Values that are allowed beside these limits, each also by its name.
    public var presets: [Preset]
    /// Members that must be there.
    public var required: [String]
    /// What each member must look like.
    public var properties: [String: ArgumentSchema]
    /// Whether members that are not in ``properties`` are allowed.
    public var allowsAdditionalProperties: Bool
    /// Whether the value is a secret, such as a password: it is sent to the device and kept out of the
    /// audit log.
    public var isWriteOnly: Bool
    /// What each item of an array must look like: none or one schema.
    private var itemSchemas: [ArgumentSchema]

    /// What each item of an array must look like; `nil` allows every item.
    public var items: ArgumentSchema? {
        get { itemSchemas.first }
        set { itemSchemas = newValue.map { [$0] } ?? [] }
    }

    public init(
        type: ValueType? = nil, allowed: [JSONValue]? = nil, minimum: Double? = nil,
        maximum: Double? = nil, longest: Int? = nil, presets: [Preset] = [],
        required: [String] = [],
        properties: [String: ArgumentSchema] = [:], allowsAdditionalProperties: Bool = true,
        items: ArgumentSchema? = nil, isWriteOnly: Bool = false
    ) {
        self.type = type
        self.allowed = allowed
        self.minimum = minimum
        self.maximum = maximum
        self.longest = longest
        self.presets = presets
        self.required = required
        self.properties = properties
        self.allowsAdditionalProperties = allowsAdditionalProperties
        itemSchemas = items.map { [$0] } ?? []
        self.isWriteOnly = isWriteOnly
    }
}

extension ArgumentSchema {
    /// An object with exactly these members, of which `optional` may be absent.
    public static func members(
        _ properties: [String: ArgumentSchema], optional: Set<String> = []
    ) -> ArgumentSchema {
        ArgumentSchema(
            type: .object, required: properties.keys.filter { !optional.contains($0) }.sorted(),
            properties: properties, allowsAdditionalProperties: false)
    }

    /// No arguments at all.
    public static let nothing = members([:])

    /// One of these texts.
    public static func oneOf(_ texts: [String]) -> ArgumentSchema {
        ArgumentSchema(type: .string, allowed: texts.map(JSONValue.string))
    }

    /// A whole number in a range.
    public static func integer(_ range: ClosedRange<Int>) -> ArgumentSchema {
        ArgumentSchema(
            type: .integer, minimum: Double(range.lowerBound), maximum: Double(range.upperBound))
    }

    /// A number in a range.
    public static func number(_ range: ClosedRange<Double>) -> ArgumentSchema {
        ArgumentSchema(type: .number, minimum: range.lowerBound, maximum: range.upperBound)
    }

    /// An array of items.
    public static func array(of items: ArgumentSchema) -> ArgumentSchema {
        ArgumentSchema(type: .array, items: items)
    }
}
