import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport rule list`.
struct RuleListVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the rules with their last runs.",
        discussion: """
            Example: homeport rule list --json

            It reads the ledger alone and needs no broker.

            With --json: {"id","name","when","for","margin","device","kind","room","if","do","to",\
            "oncePer","maxAge","paused","pausedBecause","lastRunAt","lastCause"}.

            \(VerbStatus.help(VerbStatus.ofLedger))
            """)

    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let style = try list.style(common, of: RulesRenderer.columns)
        let session = try Session(options, call)
        return try await session.withHome { home throws(HomeError) in
            let renderer = RulesRenderer(style: style, layout: call.console.layout)
            call.console.write(
                renderer.listing(of: try await home.rules.list()), style,
                ifEmpty: "\(home.id) has no rules; "
                    + "'homeport rule add NAME --when EXPR --do COMMAND' adds one")
            return .done
        }
    }
}
