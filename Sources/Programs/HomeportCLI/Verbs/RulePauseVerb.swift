import ArgumentParser
import Homeport

/// `homeport rule pause`.
struct RulePauseVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Lets a rule run no more until it is resumed.",
        discussion: """
            Example: homeport rule pause "stuck sweeper robots"

            A run that has begun goes on.

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
            try await home.rules.pause(rule)
            return .done
        }
    }
}
