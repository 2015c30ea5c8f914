import Homeport

/// What is wrong with a command line, and what to do: one line for stderr.
struct UsageRemark: Sendable {
    /// The words that may come first.
    let verbs: [String]
    /// The words that may come second, by the first one.
    let subverbs: [String: [String]]
    /// The options of a verb, which is given in one word or two.
    let options: @Sendable ([String]) -> [String]

    /// The line for a command line that cannot be read.
    /// - Parameters:
    ///   - message: what the parser says about it.
    ///   - words: the command line without the program.
    func line(for message: String, about words: [String]) -> String {
        if let remark = misplacedOption(words) { return remark }
        let help = ([HomeportCommand.name] + verb(in: words) + ["--help"]).joined(separator: " ")
        // The parser says what is missing, or takes the option's value for an argument, before it says which
        // option it does not know.
        let mayHideAnOption =
            message.contains("Missing expected argument")
            || message.contains("invalid for '<key=value>'")
        // The parser's own suggestion may have nothing in common with the word.
        if mayHideAnOption || message.hasPrefix("Unknown option '--"),
            let remark = unknownOption(in: words)
        {
            return join(remark, help)
        }
        return join(message + remedy(for: message), help)
    }

    /// The verb of a command line, of one word or two; empty without one.
    private func verb(in words: [String]) -> [String] {
        guard let place = words.firstIndex(where: verbs.contains) else { return [] }
        let second = words.dropFirst(place + 1).first
        guard let second, subverbs[words[place]]?.contains(second) == true else {
            return [words[place]]
        }
        return [words[place], second]
    }

    /// The line for a first word, or a second one after the name of a group, that is no verb; `nil` where it
    /// is one.
    func unknownVerb(_ words: [String]) -> String? {
        let given = words.drop { $0 == "help" }.prefix { !$0.hasPrefix("-") }
        guard let first = given.first else { return nil }
        guard verbs.contains(first) else { return unknownVerb([], first, among: verbs) }
        guard let second = given.dropFirst().first, let known = subverbs[first],
            !known.contains(second)
        else { return nil }
        return unknownVerb([first], second, among: known)
    }

    private func unknownVerb(_ group: [String], _ word: String, among known: [String]) -> String {
        let question = Suggestion.question(about: word, among: known)
        let verbs = question.isEmpty ? "; the verbs are \(known.joined(separator: ", "))" : question
        let written = (group + [word]).joined(separator: " ")
        let help = ([HomeportCommand.name] + group + ["--help"]).joined(separator: " ")
        return join("there is no verb '\(written)'\(verbs)", help)
    }

    private func misplacedOption(_ words: [String]) -> String? {
        guard let option = words.first, option.hasPrefix("--"), !option.hasPrefix("---"),
            let verb = words.first(where: verbs.contains)
        else { return nil }
        let name = option.prefix { $0 != "=" }
        return join(
            "options follow the verb: write '\(HomeportCommand.name) \(verb) … \(name)'",
            "\(HomeportCommand.name) \(verb) --help")
    }

    private func unknownOption(in words: [String]) -> String? {
        let known = options(verb(in: words))
        let names = words.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.prefix { $0 != "=" }) }
        guard !known.isEmpty, let name = names.first(where: { !known.contains($0) }) else {
            return nil
        }
        let similar = Suggestion.nearest(
            to: String(name.dropFirst(2)), among: known.map { String($0.dropFirst(2)) })
        let question = similar.first.map { ". Did you mean '--\($0)'?" }
        let argument = known.contains("--set") ? argumentHint(name, in: words) : ""
        return "Unknown option '\(name)'\(question ?? argument)"
    }

    /// How the argument of a command is written, where somebody wrote it as an option.
    private func argumentHint(_ option: String, in words: [String]) -> String {
        guard let place = words.firstIndex(where: { $0.hasPrefix(option) }) else { return "" }
        let given = words[place].split(separator: "=", maxSplits: 1).dropFirst().first
        let value = given.map(String.init) ?? words.dropFirst(place + 1).first ?? "…"
        return "; an argument of the command is written \(option.dropFirst(2))=\(value)"
    }

    /// What helps where the parser only says what is missing.
    private func remedy(for message: String) -> String {
        if message.contains("Missing expected argument '<device>'") {
            return "; 'homeport devices' lists the devices"
        }
        if message.contains("Missing expected argument '<command>'") {
            return "; 'homeport show <device>' lists its commands"
        }
        return ""
    }

    /// Some of the parser's messages end with a full stop, some with a question mark.
    private func join(_ message: String, _ help: String) -> String {
        if message.hasSuffix("?") { return "\(message) See '\(help)'" }
        return "\(message.hasSuffix(".") ? String(message.dropLast()) : message); see '\(help)'"
    }
}
