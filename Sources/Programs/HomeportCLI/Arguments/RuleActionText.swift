import ArgumentParser
import Homeport

/// What a rule does, as it is typed: `notify`, or a command with its arguments.
struct RuleActionText: Sendable {
    private let words: [String]

    /// Reads words with blanks between them; quotes keep blanks together.
    /// - Throws: `ValidationError` for an empty text, an open quote, and an argument that is none.
    init(_ text: String) throws {
        guard let words = Self.words(of: text) else {
            throw ValidationError("a quote is not closed in '\(text)'")
        }
        guard let first = words.first, !first.contains("=") else {
            throw ValidationError(
                "write a command first, as in 'set-reserve percent=30', or notify")
        }
        if first == "notify", words.count > 1 {
            throw ValidationError("notify has no arguments; it tells what happened")
        }
        for word in words.dropFirst() { _ = try ArgumentAssignment(word) }
        self.words = words
    }

    /// Whether it is a command.
    var isCommand: Bool { words != ["notify"] }

    /// The same as a value.
    /// - Throws: ``CommandLineError`` as ``ArgumentAssignment/arguments(_:)``.
    func action() throws(CommandLineError) -> RuleDraft.Action {
        guard isCommand else { return .notify }
        let assignments = words.dropFirst().compactMap { try? ArgumentAssignment($0) }
        return .send(
            CommandName(rawValue: words[0]), try ArgumentAssignment.arguments(assignments))
    }

    /// The words of a text; `nil` where a quote is not closed. Within brackets and braces quotes belong to JSON.
    private static func words(of text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var depth = 0
        for character in text {
            switch character {
            case let sign where sign == quote:
                quote = nil
                if depth > 0 { word?.append(sign) }
            case "\"" where quote == nil, "'" where quote == nil:
                quote = character
                if depth > 0 { word?.append(character) } else { word = word ?? "" }
            case _ where character.isWhitespace && quote == nil && depth == 0:
                if let whole = word { words.append(whole) }
                word = nil
            default:
                if quote == nil {
                    depth += "[{".contains(character) ? 1 : "]}".contains(character) ? -1 : 0
                }
                word = (word ?? "") + String(character)
            }
        }
        if let whole = word { words.append(whole) }
        return quote == nil ? words : nil
    }
}
