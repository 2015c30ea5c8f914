/// The shape of a payload: the one description from which its reader, its JSON Schema and its
/// documentation come from.
public struct PayloadShape: Sendable {
    /// The name of the payload, such as `command`.
    public let name: String
    /// What it is for.
    public let documentation: String
    /// Its members in the order in which they are written.
    public let members: [PayloadMember]

    public init(name: String, documentation: String, members: [PayloadMember]) {
        self.name = name
        self.documentation = documentation
        self.members = members
    }
}

/// A member of a payload.
public struct PayloadMember: Sendable {
    /// Its name.
    public let name: String
    /// What its value must be.
    public let type: PayloadType
    /// Whether it must be there.
    public let isRequired: Bool
    /// Whether it may be `null`.
    public let isNullable: Bool
    /// What it says.
    public let documentation: String

    public init(
        name: String, type: PayloadType, isRequired: Bool = true, isNullable: Bool = false,
        documentation: String
    ) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.isNullable = isNullable
        self.documentation = documentation
    }
}

/// What the value of a member must be.
public indirect enum PayloadType: Sendable {
    /// The version of the protocol: the number 1.
    case version
    /// A number with zero fraction in a range.
    case integer(ClosedRange<Int>)
    /// Any finite number.
    case number
    /// `true` or `false`.
    case boolean
    /// Text of at most so many characters.
    case text(maximumLength: Int?)
    /// Text that must match a regular expression as a whole; `noun` says what it names.
    case identifier(noun: String, rule: String)
    /// One of these texts and no other.
    case choice([String])
    /// Any text; these are the known ones, which only the documentation asks for.
    case openName(known: @Sendable () -> [String])
    /// An object with any members.
    case object
    /// An object that describes arguments as JSON Schema does.
    case schema
    /// An object of this shape.
    case shape(PayloadShape)
    /// An array.
    case array(of: PayloadType)
    /// One of several types.
    case either([PayloadType])
}
