import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport schedule add`.
struct ScheduleAddVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a command that is sent at a time of day.",
        discussion: """
            Examples: homeport schedule add --at 08:30 --days mon-fri sweeper-1 start-cleaning
                      homeport schedule add --at 22:00 --once 2026-12-24 store-1 set-reserve percent=80

            The time is that of the clock on the wall where 'homeport serve' runs. Where clocks \
            are put forward, a time that is skipped is due at that moment; where they are put \
            back, it is due the first time. The command is checked as by 'send'; for a device that \
            is known no broker is needed.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Option(
        help: ArgumentHelp("The time of day, 00:00 to 23:59.", valueName: "HH:MM"),
        transform: Parsing.timeOfDay)
    var at: TimeOfDay

    @Option(
        help: ArgumentHelp(
            "The days of the week: mon,tue or mon-fri.", discussion: "Default: every day.",
            valueName: "days"),
        transform: Parsing.days)
    var days: Set<Weekday>?

    @Option(
        help: ArgumentHelp("Once, on this date, instead of every week.", valueName: "YYYY-MM-DD"),
        transform: Parsing.date)
    var once: CalendarDate?

    @Argument(
        help: ArgumentHelp(
            "The device: its id or name, as 'homeport devices' lists them.", valueName: "device"),
        completion: .devices)
    var device: String

    @Argument(help: ArgumentHelp("The command, as 'show' lists it.", valueName: "command"))
    var command: String

    @Argument(
        help: ArgumentHelp(
            "The command's arguments, as 'show' lists them.", valueName: "key=value"),
        transform: { try ArgumentAssignment($0) })
    var assignments: [ArgumentAssignment] = []

    @OptionGroup(title: "Command") var given: ArgumentOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func validate() throws {
        if days != nil, once != nil {
            throw ValidationError("--days is for every week and --once for one date: give one")
        }
    }

    private var rule: ScheduleRule {
        once.map { .once(at, on: $0) } ?? .weekly(at, on: days ?? Set(Weekday.allCases))
    }

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let arguments = try ArgumentAssignment.arguments(assignments + given.setAssignments)
        return try await session.withHome { home throws(HomeError) in
            let schedule = try await home.addSchedule(
                CommandName(rawValue: command), typed: arguments, toDeviceCalled: device, at: rule)
            let renderer = SchedulesRenderer(
                style: common.listStyle, layout: call.console.layout)
            call.console.write(renderer.lines(for: [schedule]))
            await call.remarkThatItNeedsAServer(of: home)
            return .done
        }
    }
}
