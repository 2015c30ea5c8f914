import ArgumentParser
import Homeport

/// `homeport schedule remove`.
struct ScheduleRemoveVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a schedule.",
        discussion: """
            Example: homeport schedule remove 3

            A run that has begun goes on; 'homeport cancel' takes its command back.

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
            try await home.removeSchedule(schedule)
            return .done
        }
    }
}
