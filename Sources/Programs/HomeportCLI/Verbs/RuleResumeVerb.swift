import ArgumentParser
import Homeport

/// `homeport rule resume`.
struct RuleResumeVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Lets a rule run again that was paused.",
        discussion: """
            Example: homeport rule resume "stuck sweeper robots"

            It begins as a new rule does: what was due before does not count, and what a device meets already lets it run.

            \(RuleGroup.statuses)
            """)

    @Argument(
        help: ArgumentHelp(
            "The rule: its id or name, as 'rule list' prints them.", valueName: "rule"),
        completion: .rules)
    var rule: String

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        return try await session.withHome { home throws(HomeError) in
            try await home.rules.resume(rule)
            return .done
        }
    }
}
