/// A validated name: only text that its role's grammar allows can exist as a value.
///
/// Text that does not match is refused where it enters the system, never escaped (PROTOCOL section 1). Text that
/// comes from elsewhere goes into `try DeviceID(text)`, which says what is wrong; what stands in the source is a
/// `DeviceID.literal("sweeper-1")`. Names that are in no topic, such as ``CommandName``, take any text.
public struct Identifier<Role: IdentifierRole>: Hashable, Sendable {
    /// The validated text.
    public let text: String

    /// Accepts `text` if the role's grammar allows it.
    /// - Throws: ``InvalidIdentifier``, naming the role, the text and the rule.
    public init(_ text: some StringProtocol) throws(InvalidIdentifier) {
        self.text = String(text)
        guard Role.grammar.accepts(self.text) else {
            throw InvalidIdentifier(
                role: Role.noun, text: self.text, rule: Role.grammar.rule,
                advice: Role.grammar.advice)
        }
    }
}

extension Identifier {
    /// An identifier that is written in the source; a wrong one ends the program, as a wrong index does.
    public static func literal(_ text: StaticString) -> Identifier {
        do {
            return try Identifier("\(text)")
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension Identifier: RawRepresentable {
    public var rawValue: String { text }

    /// Accepts `rawValue` if the role's grammar allows it, else `nil`.
    public init?(rawValue: String) {
        guard Role.grammar.accepts(rawValue) else { return nil }
        text = rawValue
    }
}

extension Identifier: CustomStringConvertible {
    public var description: String { text }
}

extension Identifier: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// What an ``Identifier`` names, and the grammar of its text.
public protocol IdentifierRole: Sendable {
    /// The noun for error messages, such as "device id".
    static var noun: String { get }
    /// The allowed texts.
    static var grammar: IdentifierGrammar { get }
}

/// The text is not a valid identifier for its role.
public struct InvalidIdentifier: Error, Hashable, Sendable, CustomStringConvertible {
    /// The noun for the identifier.
    public let role: String
    /// The refused text.
    public let text: String
    /// The rule that it breaks, as a regular expression.
    public let rule: String
    /// The same rule in words.
    let advice: String

    /// A longer text is cut in the message.
    private static let shownLength = 80

    public var description: String {
        let shown = text.count > Self.shownLength ? "\(text.prefix(Self.shownLength))…" : text
        return "\(role) \(shown.debugDescription) is not valid: use \(advice)"
    }
}
