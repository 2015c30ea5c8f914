/// How large and how deep a JSON text may be; both are checked before it is parsed.
public struct JSONLimits: Hashable, Sendable {
    /// The most bytes.
    public let bytes: Int
    /// The most objects and arrays within each other; `{"a":[]}` has depth 2.
    public let depth: Int

    /// The deepest nesting that any limit allows, since the parser calls itself.
    public static let deepest = 128

    /// Limits of our own; a depth above ``deepest`` is taken as that.
    public init(bytes: Int, depth: Int) {
        self.bytes = bytes
        self.depth = min(depth, Self.deepest)
    }

    /// The limits of a payload: 64 KiB and depth 16 (PROTOCOL section 2).
    public static let wire = JSONLimits(bytes: 65_536, depth: 16)
}

extension JSONLimits {
    /// Checks size and depth without parsing.
    func check(_ text: [UInt8]) throws(PayloadError) {
        guard text.count <= bytes else {
            throw PayloadError(
                code: .tooLarge, message: "\(text.count) bytes, at most \(bytes) are allowed")
        }
        try checkDepth(of: text)
    }

    private func checkDepth(of text: [UInt8]) throws(PayloadError) {
        var level = 0
        var isInString = false
        var index = 0
        while index < text.count {
            switch text[index] {
            case ASCII.backslash where isInString: index += 1
            case ASCII.quote: isInString.toggle()
            case ASCII.openBrace where !isInString, ASCII.openBracket where !isInString:
                level += 1
                if level > depth { throw tooDeep(at: index) }
            case ASCII.closeBrace where !isInString, ASCII.closeBracket where !isInString:
                level -= 1
            default: break
            }
            index += 1
        }
    }

    private func tooDeep(at offset: Int) -> PayloadError {
        PayloadError(
            code: .tooDeep, message: "nested deeper than \(depth) levels", offset: offset)
    }
}
