import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport schedule edit`.
struct ScheduleEditVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Changes when a schedule is due, or what its command is given.",
        discussion: """
            Examples: homeport schedule edit 3 --at 09:00
                      homeport schedule edit 3 --days sat,sun
                      homeport schedule edit 3 --set rooms=[1]

            What is not named stays as it is. Arguments replace all that the command was given \
            before. For another device or command add another schedule. A run that has begun goes \
            on.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Argument(
        help: ArgumentHelp("The schedule, as 'schedule list' names it.", valueName: "id"),
        transform: Parsing.schedule)
    var schedule: ScheduleID

    @Option(
        help: ArgumentHelp("The time of day, 00:00 to 23:59.", valueName: "HH:MM"),
        transform: Parsing.timeOfDay)
    var at: TimeOfDay?

    @Option(
        help: ArgumentHelp("The days of the week: mon,tue or mon-fri.", valueName: "days"),
        transform: Parsing.days)
    var days: Set<Weekday>?

    @Option(
        help: ArgumentHelp("Once, on this date, instead of every week.", valueName: "YYYY-MM-DD"),
        transform: Parsing.date)
    var once: CalendarDate?

    @OptionGroup(title: "Command") var given: ArgumentOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func validate() throws {
        if days != nil, once != nil {
            throw ValidationError("--days is for every week and --once for one date: give one")
        }
        guard at == nil, days == nil, once == nil, given.setAssignments.isEmpty else { return }
        throw ValidationError("nothing is to be changed: give --at, --days, --once or --set")
    }

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let arguments = try ArgumentAssignment.arguments(given.setAssignments)
        return try await session.withHome { home throws(HomeError) in
            let former = try await home.schedules().first { $0.id == schedule }
            let rule = former.flatMap { changed($0.rule) }
            let edited: Schedule
            if given.setAssignments.isEmpty {
                edited = try await home.scheduling.change(schedule, at: rule)
            } else {
                edited = try await home.scheduling.change(schedule, typed: arguments, at: rule)
            }
            let renderer = SchedulesRenderer(
                style: common.listStyle, layout: call.console.layout)
            call.console.write(renderer.lines(for: [edited]))
            return .done
        }
    }

    /// What the rule becomes; `nil` where it stays.
    private func changed(_ former: ScheduleRule) -> ScheduleRule? {
        guard at != nil || days != nil || once != nil else { return nil }
        let time = at ?? former.time
        if let once { return .once(time, on: once) }
        if let days { return .weekly(time, on: days) }
        return switch former {
        case .weekly(_, let days): .weekly(time, on: days)
        case .once(_, let date): .once(time, on: date)
        }
    }
}
