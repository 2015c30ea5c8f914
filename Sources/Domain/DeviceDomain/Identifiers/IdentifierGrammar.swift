/// A grammar of short ASCII names: a first character, then others, up to a length.
public struct IdentifierGrammar: Sendable {
    /// The rule as a regular expression, for error messages and generated schemas.
    public let rule: String
    /// The rule in words, as it follows "use".
    let advice: String
    private let maximumLength: Int
    private let isFirst: @Sendable (UInt8) -> Bool
    private let isFollowing: @Sendable (UInt8) -> Bool

    func accepts(_ text: String) -> Bool {
        var length = 0
        for byte in text.utf8 {
            guard length < maximumLength else { return false }
            guard length == 0 ? isFirst(byte) : isFollowing(byte) else { return false }
            length += 1
        }
        return length > 0
    }

    /// `[a-z0-9][a-z0-9-]{0,62}`: homes, devices, controllers.
    static let slug = IdentifierGrammar(
        rule: "[a-z0-9][a-z0-9-]{0,62}",
        advice: "1 to 63 lowercase letters, digits and hyphens, with no hyphen at the start",
        maximumLength: 63,
        isFirst: { isLowercase($0) || isDigit($0) },
        isFollowing: { isLowercase($0) || isDigit($0) || $0 == UInt8(ascii: "-") })

    /// `[a-z][a-z0-9-]{0,62}`: names of events.
    static let word = IdentifierGrammar(
        rule: "[a-z][a-z0-9-]{0,62}",
        advice: "1 to 63 lowercase letters, digits and hyphens, with a letter at the start",
        maximumLength: 63,
        isFirst: isLowercase,
        isFollowing: { isLowercase($0) || isDigit($0) || $0 == UInt8(ascii: "-") })

    /// `[A-Za-z0-9_-]{1,32}`: boot ids.
    static let token = IdentifierGrammar(
        rule: "[A-Za-z0-9_-]{1,32}",
        advice: "1 to 32 letters, digits, hyphens and underscores", maximumLength: 32,
        isFirst: isTokenByte, isFollowing: isTokenByte)
}

private func isLowercase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func isTokenByte(_ byte: UInt8) -> Bool {
    isLowercase(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
}
