import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport context list`.
struct ContextListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the contexts of the configuration file.",
        discussion: """
            Example: homeport context list --json

            With --json: {"name","inUse","home","broker","controller","database"}; what a context leaves \
            out is null.

            \(VerbStatus.help(
                [.done, .usage, .wrongInput, .internalError],
                but: [.wrongInput: "no configuration file, or something is wrong in it"]))
            """)

    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let style = try list.style(common, of: ContextsRenderer.columns)
        let path = try common.requireConfigurationPath()
        guard let file = try common.configurationFile() else { return .done }
        call.console.write(
            ContextsRenderer.listing(of: file.contexts, using: file.contextInUse), style,
            ifEmpty: "\(path) has no contexts; 'homeport context --help' shows how they are written"
        )
        return .done
    }
}
