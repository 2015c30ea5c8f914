import ArgumentParser
import Homeport

/// Verbs that share their first word.
protocol VerbGroup: AsyncParsableCommand {
    /// The first word.
    static var name: String { get }
    /// The verbs, each with a second word.
    static var verbs: [any Verb.Type] { get }
}

extension VerbGroup {
    /// The verb that is named first, parsed by itself; `nil` if it is incomplete or wrong.
    static func verb(_ words: [String]) -> (any Verb)? {
        verbs.first { $0.name == words.first }?.call(Array(words.dropFirst()))
    }
}
