import ArgumentParser

/// `homeport rule`: the verbs about what is done when something happens.
struct RuleGroup: VerbGroup {
    static let configuration = CommandConfiguration(
        commandName: "rule",
        abstract: "Rules: what is done when something happens, run by 'homeport serve'.",
        discussion: """
            Examples: homeport rule add "stuck sweeper robots" --when event=stuck --kind sweeping-robot --do notify
                      homeport rule add "reserve" --when 'stateOfChargePercent<20' --for 5m --device store-1 \
            --do 'set-reserve percent=30' --once-per 1h

            Rules are kept in the ledger. A running 'homeport serve' runs them, one server of several at a \
            time; without one nothing happens. 'homeport history' lists the commands that they have sent, \
            'homeport explain' tells why.
            """,
        subcommands: [
            RuleAddVerb.self, RuleListVerb.self, RuleRemoveVerb.self, RulePauseVerb.self,
            RuleResumeVerb.self, RuleTestVerb.self, UnknownVerb<Self>.self,
        ], defaultSubcommand: UnknownVerb<Self>.self)

    /// The exit statuses of a verb that names a rule.
    static let statuses = VerbStatus.help(
        VerbStatus.ofLedger, but: [.wrongInput: "unknown rule"])
}
