import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport context use`.
struct ContextUseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Chooses the context of calls that name none.",
        discussion: """
            Example: homeport context use villa

            It writes the line context: NAME into the configuration file, and leaves all else in it as it is. A \
            running 'homeport serve' goes on with what it was started with.

            \(VerbStatus.help(
                [.done, .usage, .wrongInput, .internalError],
                but: [.wrongInput: "no such context, or something is wrong in the configuration file"]))
            """)

    @Argument(
        help: ArgumentHelp("The context, as 'context list' names it.", valueName: "name"),
        completion: .contexts)
    var name: String

    @OptionGroup(title: "Home and output") var common: CommonOptions

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let path = try common.requireConfigurationPath()
        try CommandLineError.ofConfiguration { () throws(HomeError) in
            try ConfigurationFile.useContext(name, inFileAt: path)
        }
        guard let file = try common.configurationFile() else { return .done }
        let used = file.contexts.filter { $0.name == name }
        call.console.write(
            common.json
                ? ContextsRenderer.listing(of: used, using: name).lines(
                    ListStyle(.json), in: call.console.layout)
                : ["calls that name no context mean \(name) now"])
        return .done
    }
}
