import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport rule test`.
struct RuleTestVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Tells when a rule would have run in the recorded past.",
        discussion: """
            Example: homeport rule test reserve --from 24h

            It looks at what 'homeport serve' has kept of the devices, and sends nothing. Each sample of \
            the last day is kept; in the means of five minutes and of an hour that are kept of the time \
            before short peaks do not show. What devices say in their state is not kept.

            With --json: {"at","device","cause","targets","do"}, a line for each run.

            \(RuleGroup.statuses)
            """)

    @Argument(
        help: ArgumentHelp(
            "The rule: its id or name, as 'rule list' prints them.", valueName: "rule"),
        completion: .rules)
    var rule: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "From then on: 30m, 24h, 08:30, 2026-12-24 or 2026-12-24T08:30.",
            discussion: "Local time, unless Z or an offset such as +02:00 follows. Default: 24h.",
            valueName: "time"),
        transform: Parsing.moment)
    var from: Timestamp?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Before then, in the same forms.", discussion: "Default: now.", valueName: "time"),
        transform: Parsing.moment)
    var to: Timestamp?

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    func validate() throws {
        if let from, let to, from >= to {
            throw ValidationError("--from is not before --to, so there is nothing between them")
        }
    }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let end = to ?? MachineClock.wallTime
        let start = from ?? end.advanced(by: .seconds(-86_400))
        guard start < end else { throw .usage("--from is not in the past") }
        return try await session.withHome { home throws(HomeError) in
            let rehearsal = try await home.rules.rehearse(rule, from: start, to: end)
            let renderer = RehearsalRenderer(style: common.listStyle, layout: call.console.layout)
            call.console.write(renderer.lines(for: rehearsal))
            for remark in RehearsalRenderer.remarks(on: rehearsal, in: home.id) {
                call.console.note(remark)
            }
            return .done
        }
    }
}
