import ArgumentParser
import DeviceDomain

/// What is wrong with a command line, and where its help is: one line, as `homeport` says it.
enum UsageRemark {
    /// The line.
    /// - Parameters:
    ///   - message: what the parser says.
    ///   - words: the command line without the program.
    static func line(for message: String, about words: [String]) -> String {
        let help = (["homeport-sim"] + [verb(in: words)?.name, "--help"].compactMap(\.self))
            .joined(separator: " ")
        let text = unknownOption(in: words, message) ?? unknownVerb(words) ?? message
        if text.hasSuffix("?") { return "homeport-sim: \(text) See '\(help)'" }
        return
            "homeport-sim: \(text.hasSuffix(".") ? String(text.dropLast()) : text); see '\(help)'"
    }

    private static var verbs: [(name: String, type: any ParsableCommand.Type)] {
        HomeportSim.configuration.subcommands.compactMap { type in
            type.configuration.commandName.map { ($0, type) }
        }
    }

    private static func verb(
        in words: [String]
    ) -> (name: String, type: any ParsableCommand.Type)? {
        words.first.flatMap { word in verbs.first { $0.name == word } }
    }

    private static func unknownVerb(_ words: [String]) -> String? {
        guard let word = words.first, !word.hasPrefix("-"), verb(in: words) == nil else {
            return nil
        }
        let names = verbs.map(\.name)
        let question = Suggestion.question(about: word, among: names)
        let known = question.isEmpty ? "; the verbs are \(names.joined(separator: ", "))" : question
        return "there is no verb '\(word)'\(known)"
    }

    /// The parser suggests also what has nothing in common with the word.
    private static func unknownOption(in words: [String], _ message: String) -> String? {
        guard message.hasPrefix("Unknown option '--"), let verb = verb(in: words) else {
            return nil
        }
        let known = HomeportSim.helpMessage(for: verb.type)
            .split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") }
            .map { String($0.dropFirst(2)) }
        guard
            let name = words.filter({ $0.hasPrefix("--") })
                .map({ String($0.dropFirst(2).prefix { $0 != "=" }) })
                .first(where: { !known.contains($0) })
        else { return nil }
        let similar = Suggestion.nearest(to: name, among: known).first
        return "Unknown option '--\(name)'" + (similar.map { ". Did you mean '--\($0)'?" } ?? "")
    }
}
