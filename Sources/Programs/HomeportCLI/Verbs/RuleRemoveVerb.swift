import ArgumentParser
import Homeport

/// `homeport rule remove`.
struct RuleRemoveVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a rule.",
        discussion: """
            Example: homeport rule remove "stuck sweeper robots"

            A run that has begun goes on; 'homeport cancel' takes its commands back.

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
            try await home.rules.remove(rule)
            return .done
        }
    }
}
