import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport explain`.
struct ExplainVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tells what happened to a command, and what happens next.",
        discussion: """
            Examples: homeport explain last
                      homeport explain 9b7e11

            A timeline of everything that the ledger knows: when it was recorded and sent, what the \
            broker and the device said, what it waited for. It reads the ledger alone and needs no \
            broker.

            \(VerbStatus.help(VerbStatus.ofLedger))
            """)

    @Argument(
        help: ArgumentHelp(
            "The command: its id, the last 6 or more digits of it, or 'last' for the newest one.",
            discussion: "'queue' and 'history' list the ids.", valueName: "id"),
        transform: Parsing.commandReference)
    var command: CommandReference

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            var renderer = ExplanationRenderer(
                format: common.format, layout: console.layout,
                labels: try await home.naming.labels())
            let explanation = try await home.explain(try await home.commandID(command))
            renderer.run = try await home.rules.run(ofCause: explanation.record.intent.cause)
            console.write(renderer.lines(for: explanation))
            return .done
        }
    }
}
