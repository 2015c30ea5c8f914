import ArgumentParser
import Homeport

/// `homeport schedule resume`.
struct ScheduleResumeVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Lets a paused schedule go on.",
        discussion: """
            Example: homeport schedule resume 3

            What was due meanwhile is not made up for and does not count as missed.

            \(VerbStatus.help(VerbStatus.ofLedger))
            """)

    @Argument(
        help: ArgumentHelp("The schedule, as 'schedule list' names it.", valueName: "id"),
        transform: Parsing.schedule)
    var schedule: ScheduleID

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        return try await session.withHome { home throws(HomeError) in
            try await home.scheduling.resume(schedule)
            return .done
        }
    }
}
