import ArgumentParser
import DeviceDomain

/// What is wrong with a command line, and where its help is: one line, as `homeport` says it.
enum UsageErrorMessage {
    /// The line.
    /// - Parameters:
    ///   - message: what the parser says.
    ///   - words: the command line without the program.
    static func line(for message: String, about words: [String]) -> String {
        let verbs = HomeportSim.configuration.subcommands.compactMap {
            $0.configuration.commandName
        }
        guard let word = words.first, !word.hasPrefix("-") else {
            return "\(message) (see 'homeport-sim --help')"
        }
        guard !verbs.contains(word) else {
            return "\(message) (see 'homeport-sim \(word) --help')"
        }
        let question = Suggestion.question(about: word, among: verbs)
        let known = question.isEmpty ? "; the verbs are \(verbs.joined(separator: ", "))" : question
        return "there is no verb '\(word)'\(known) (see 'homeport-sim --help')"
    }
}
