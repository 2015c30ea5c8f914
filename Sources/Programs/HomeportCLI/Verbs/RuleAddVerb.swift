import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport rule add`.
struct RuleAddVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a rule: what is done when something happens.",
        discussion: """
            Examples: homeport rule add "stuck sweeper robots" --when event=stuck --kind sweeping-robot --do notify
                      homeport rule add "reserve" --when 'stateOfChargePercent<20' --for 5m --device store-1 \
            --do 'set-reserve percent=30' --once-per 1h
                      homeport rule add "good night" --when at=22:30 --kind sweeping-robot \
            --if activity=cleaning --do return-to-dock

            --when is one of: a comparison as of 'devices --where'; event=NAME; presence=offline or \
            presence=online; at=HH:MM, the clock on the wall where 'homeport serve' runs; sunrise or \
            sunset at the location that the configuration file names. A comparison lets the rule run \
            when it becomes true, not again while it stays true.

            A command goes to the device that let the rule run; with at=, sunrise and sunset to all that \
            --device, --kind or --room selects; with --to to that device. It is checked as by 'send'; \
            for devices that are known no broker is needed. notify tells you as the configuration file \
            says (notify-command, notify-url).

            Two rules that trigger each other are paused, and 'rule list' names them.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Argument(
        help: ArgumentHelp("What you call the rule.", valueName: "name"),
        transform: Parsing.givenName)
    var name: GivenName

    @Option(
        name: .customLong("when"),
        help: ArgumentHelp("What lets it run.", valueName: "expr"),
        completion: .ruleTriggers, transform: Parsing.trigger)
    var trigger: RuleTrigger

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp(
            "How long a comparison or a presence must hold before: 30s, 5m.", valueName: "time"),
        transform: Parsing.duration)
    var hold: Duration?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How far a number must come back before the rule can run again.",
            discussion: "With 'batteryPercent<20' and --margin 5 it must reach 25. Default: 0.",
            valueName: "number"),
        transform: Parsing.margin)
    var margin: Double?

    @OptionGroup var scope: RuleScopeOptions

    @Option(
        name: .customLong("if"),
        help: ArgumentHelp(
            "Only where the device meets this condition then; may be repeated, all must be met.",
            discussion: "As of 'devices --where'.", valueName: "expr"),
        completion: .members, transform: Parsing.condition)
    var conditions: [DeviceCondition] = []

    @Option(
        name: .customLong("do"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A command with its arguments, or notify; may be repeated.",
            valueName: "'command key=value'|notify"),
        completion: .ruleActions, transform: { try RuleActionText($0) })
    var actions: [RuleActionText] = []

    @Option(
        help: ArgumentHelp("The device that gets the commands.", valueName: "device"),
        completion: .devices)
    var to: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Run at most once in this time for each device.", valueName: "time"),
        transform: Parsing.duration)
    var oncePer: Duration?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How old a message may be that lets it run, by the clock of its device.",
            discussion: "Also how late a time may be. Default: \(RulePlan.usualMaxAge.text).",
            valueName: "time"),
        transform: Parsing.duration)
    var maxAge = RulePlan.usualMaxAge

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func validate() throws {
        guard !actions.isEmpty else {
            throw ValidationError(
                "--do is missing: a command, as --do 'set-reserve percent=30', or --do notify")
        }
        if to != nil, !actions.contains(where: \.isCommand) {
            throw ValidationError("--to is for a command, and --do names none")
        }
    }

    static var serverUse: ServerUse { .mayHaveSent }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        var draft = RuleDraft(
            name: name, trigger: trigger,
            actions: try actions.map { action throws(CommandLineError) in try action.action() })
        draft.hold = hold ?? .zero
        draft.margin = margin ?? 0
        draft.scope = scope.scope
        draft.conditions = conditions
        draft.receiver = to
        draft.oncePer = oncePer
        draft.maxAge = maxAge
        let typed = draft
        return try await session.withHome { home throws(HomeError) in
            let rule = try await home.rules.add(typed)
            let renderer = RulesRenderer(style: common.listStyle, layout: call.console.layout)
            call.console.write(renderer.lines(for: [rule]))
            if let doubt = home.rules.doubt(about: rule) { call.console.note(doubt) }
            await call.remarkThatItNeedsAServer(of: home)
            return .done
        }
    }
}
