import ArgumentParser
import Homeport

/// `homeport schedule pause`.
struct SchedulePauseVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pauses a schedule until it is resumed.",
        discussion: """
            Example: homeport schedule pause 3

            It stays in the list and is never due; a run that has begun goes on.

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
            try await home.scheduling.pause(schedule)
            return .done
        }
    }
}
