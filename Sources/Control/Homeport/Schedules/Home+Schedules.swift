public import DeviceControl
public import DeviceDomain

extension Home {
    /// The schedules of this controller in the home, in the order in which they were added. It needs
    /// no connection.
    /// - Throws: ``HomeError`` `ledger`.
    public func schedules() async throws(HomeError) -> [Schedule] {
        try await scheduling.schedules()
    }

    /// Adds a schedule to the ledger, from where ``runSchedules(_:)`` of any process runs it. The
    /// command is checked as by ``send(_:_:toDeviceCalled:options:)``; for a device that the ledger
    /// remembers no connection is needed.
    /// - Throws: ``HomeError`` `badSchedule` where it would never be due, `unknownDevice`,
    ///   `ambiguousName`, `refusedCommand`, `noConnection`, `ledger`.
    public func addSchedule(
        _ name: CommandName, _ arguments: JSONObject = [:], toDeviceCalled reference: String,
        at rule: ScheduleRule
    ) async throws(HomeError) -> Schedule {
        try await scheduling.add(name, .values(arguments), toDeviceCalled: reference, at: rule)
    }

    /// As ``addSchedule(_:_:toDeviceCalled:at:)``, with arguments as somebody typed them.
    public func addSchedule(
        _ name: CommandName, typed arguments: TypedArguments, toDeviceCalled reference: String,
        at rule: ScheduleRule
    ) async throws(HomeError) -> Schedule {
        try await scheduling.add(name, .typed(arguments), toDeviceCalled: reference, at: rule)
    }

    /// As ``addSchedule(_:_:toDeviceCalled:at:)``, with a command of the type that the device
    /// understands.
    public func addSchedule<Receiver: Device>(
        _ command: CommandRequest<Receiver>, to receiver: Receiver, at rule: ScheduleRule
    ) async throws(HomeError) -> Schedule {
        try await addSchedule(
            command.name, command.arguments, toDeviceCalled: receiver.id.text, at: rule)
    }

    /// Removes a schedule. A run that has begun goes on.
    /// - Throws: ``HomeError`` `unknownSchedule`, `ledger`.
    public func removeSchedule(_ schedule: ScheduleID) async throws(HomeError) {
        try await scheduling.remove(schedule)
    }

    /// Runs the schedules of this controller in the home until the task is cancelled.
    ///
    /// A run that cannot start within `Schedule.longestDelay` is missed and never runs late. Where
    /// several processes do this on one ledger, each run takes place once.
    /// - Parameter report: is told what became of each run, and when the ledger fails.
    /// - Throws: ``HomeError`` `ledger`, `notRunning`.
    public func runSchedules(
        _ report: @escaping @Sendable (Result<ScheduleNotice, HomeError>) -> Void
    ) async throws(HomeError) {
        try await runSchedules(clock: configuration.clock, calendar: .system, report)
    }

    /// As ``runSchedules(_:)``, by other clocks.
    package func runSchedules(
        clock: any CommandClock, calendar: LocalCalendar,
        _ report: @escaping @Sendable (Result<ScheduleNotice, HomeError>) -> Void
    ) async throws(HomeError) {
        try await scheduling.run(clock: clock, calendar: calendar, report)
    }

    /// Changes, pauses and resumes schedules.
    public var scheduling: CommandScheduling { CommandScheduling(commands: commands) }
}
