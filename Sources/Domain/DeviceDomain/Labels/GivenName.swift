/// What a user calls a device or a room: one line of 1 to 64 characters, without blanks around it.
///
/// It is kept as it was typed; upper and lower case make no difference where names are compared.
public struct GivenName: Hashable, Sendable, CustomStringConvertible {
    /// The most characters of a name.
    public static let limit = 64
    /// The most bytes of a name in UTF-8: a character may be drawn with any number of marks.
    static let byteLimit = 256

    /// The name as it was typed.
    public let text: String

    public var description: String { text }

    /// A name that somebody typed; blanks around it are left out.
    /// - Throws: ``InvalidName`` for an empty text, one that is too long, and one with characters that are not
    ///   shown in a line.
    public init(_ text: String) throws(InvalidName) {
        let name = String(text.withoutOuterBlanks)
        guard !name.isEmpty else { throw InvalidName("the name is empty; write one") }
        guard name.count <= Self.limit, name.utf8.count <= Self.byteLimit else {
            throw InvalidName(
                "the name has \(name.count) characters; \(Self.limit) is the most, choose a shorter one"
            )
        }
        guard !name.unicodeScalars.contains(where: \.steersText) else {
            throw InvalidName(
                "the name has a line break or another control character; write it in one line of plain text"
            )
        }
        self.text = name
    }

    /// Whether two names mean the same.
    public func isSame(as other: GivenName) -> Bool { isSame(as: other.text) }

    /// Whether a text means this name.
    public func isSame(as other: String) -> Bool {
        text == other || text.lowercased() == other.withoutOuterBlanks.lowercased()
    }
}

/// A text cannot be a name; the message says why and what to do.
public struct InvalidName: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

extension String {
    /// The text without blanks at its beginning and its end.
    public var withoutOuterBlanks: Substring {
        let tail = drop(while: \.isWhitespace)
        return tail.prefix(
            upTo: tail.lastIndex { !$0.isWhitespace }.map(tail.index(after:)) ?? tail.startIndex)
    }
}

extension Unicode.Scalar {
    /// Whether it breaks lines, steers a terminal or reorders what stands beside it.
    fileprivate var steersText: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        }
    }
}
