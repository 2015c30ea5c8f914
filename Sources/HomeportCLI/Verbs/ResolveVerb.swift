import ArgumentParser
import Homeport

/// `homeport resolve`.
struct ResolveVerb: HomeVerb {
    static let name = "resolve"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: HomeportCommand.name,
        abstract: "Asks the devices about every command whose outcome is unknown.",
        discussion: """
            Example: homeport resolve

            A line for each such command says how it stands after that, also for those that a homeport \
            which has ended left open. What had left is not sent again. A device that is offline cannot be \
            asked; try again when it is back.

            \(VerbStatus.help([.done, .undecided, .noConnection] + VerbStatus.ofEveryHome))
            """)

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func perform(in call: Call) async throws(Failure) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            let records = try await home.resolveUnknown()
            let renderer = CommandRenderer(format: common.format, layout: console.layout)
            for record in records { console.write(renderer.lines(for: record)) }
            let isResolved = records.allSatisfy { $0.state != .unknown }
            return isResolved ? .done : .undecided
        }
    }
}
