import ArgumentParser
import Homeport

/// What a command line has where one of the group's verbs is expected: refused with a suggestion, or nothing,
/// for which the help is shown.
struct UnknownVerb<Group: VerbGroup>: ParsableCommand {
    // Nobody types this name.
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "unknown verb", shouldDisplay: false)
    }

    @Argument(parsing: .captureForPassthrough)
    var words: [String] = []

    func validate() throws {
        guard let word = words.first, word != "--help", word != "-h" else {
            throw CleanExit.helpRequest(Group.self)
        }
        let known = Group.verbNames
        let list = "; the verbs are \(known.joined(separator: ", "))"
        guard word.hasPrefix("-") else {
            let question = Suggestion.question(about: word, among: known)
            let written = (Group.path + [word]).joined(separator: " ")
            throw ValidationError(
                "there is no verb '\(written)'\(question.isEmpty ? list : question)")
        }
        let option = word.prefix { $0 != "=" }
        guard let verb = words.first(where: known.contains) else {
            throw ValidationError("there is no verb before '\(option)'\(list)")
        }
        let start = ([HomeportCommand.name] + Group.path + [verb]).joined(separator: " ")
        throw ValidationError("options follow the verb: write '\(start) … \(option)'")
    }
}
