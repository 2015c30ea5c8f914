import ArgumentParser
import Homeport

/// Verbs that share their first word.
protocol VerbGroup: AsyncParsableCommand {
    /// The first word.
    static var name: String { get }
    /// The verbs, each with a second word.
    static var verbs: [any Verb.Type] { get }
    /// A second word that is no verb of the group.
    var unknownVerb: String? { get }
}

extension VerbGroup {
    /// The verb that is named first, parsed by itself; `nil` if it is incomplete or wrong.
    static func verb(_ words: [String]) -> (any Verb)? {
        verbs.first { $0.name == words.first }?.call(Array(words.dropFirst()))
    }

    /// Names the verbs of the group where the second word is none.
    func validate() throws {
        guard let unknownVerb else { return }
        let names = Self.verbs.map { $0.name }
        let question = Suggestion.question(about: unknownVerb, among: names)
        throw ValidationError(
            "there is no verb '\(Self.name) \(unknownVerb)'"
                + (question.isEmpty ? "; the verbs are \(names.joined(separator: ", "))" : question)
        )
    }
}
