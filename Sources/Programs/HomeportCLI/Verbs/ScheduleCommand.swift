import ArgumentParser
import Homeport

/// `homeport schedule`: the verbs about commands at times of day.
struct ScheduleCommand: VerbGroup {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Commands at times of day or on a date, run by 'homeport serve'.",
        discussion: """
            Example: homeport schedule add --at 08:30 --days mon-fri sweeper-1 start-cleaning

            Schedules are kept in the ledger. A running 'homeport serve' sends their commands; a \
            run that cannot start within 10 seconds is missed, told, and never made up for.
            """,
        subcommands: [
            ScheduleAddVerb.self, ScheduleListVerb.self, ScheduleEditVerb.self,
            SchedulePauseVerb.self, ScheduleResumeVerb.self, ScheduleRemoveVerb.self,
            UnknownVerb<Self>.self,
        ], defaultSubcommand: UnknownVerb<Self>.self)
}
