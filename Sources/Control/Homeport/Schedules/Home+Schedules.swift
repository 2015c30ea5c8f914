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

    /// Changes when a schedule is due, and what its command is given: its device and command stay. A run that has begun
    /// goes on.
    /// - Parameters:
    ///   - arguments: checked as those of a command that is sent; `nil` leaves them as they are.
    ///   - rule: `nil` leaves it as it is.
    /// - Throws: ``HomeError`` `unknownSchedule`, and as ``addSchedule(_:_:toDeviceCalled:at:)``.
    public func changeSchedule(
        _ schedule: ScheduleID, _ arguments: JSONObject? = nil, at rule: ScheduleRule? = nil
    ) async throws(HomeError) -> Schedule {
        try await scheduling.change(schedule, arguments.map { .values($0) }, at: rule)
    }

    /// As ``changeSchedule(_:_:at:)``, with arguments as somebody typed them.
    public func changeSchedule(
        _ schedule: ScheduleID, typed arguments: TypedArguments, at rule: ScheduleRule? = nil
    ) async throws(HomeError) -> Schedule {
        try await scheduling.change(schedule, .typed(arguments), at: rule)
    }

    /// Pauses a schedule: it is never due until ``resumeSchedule(_:)``. A run that has begun goes on.
    /// - Throws: ``HomeError`` `unknownSchedule`, `ledger`.
    public func pauseSchedule(_ schedule: ScheduleID) async throws(HomeError) {
        try await scheduling.pause(schedule, true)
    }

    /// Lets a schedule go on that was paused. What was due meanwhile does not count as missed.
    /// - Throws: ``HomeError`` `unknownSchedule`, `ledger`.
    public func resumeSchedule(_ schedule: ScheduleID) async throws(HomeError) {
        try await scheduling.pause(schedule, false)
    }

    /// Removes a schedule. A run that has begun goes on.
    /// - Throws: ``HomeError`` `unknownSchedule`, `ledger`.
    public func removeSchedule(_ schedule: ScheduleID) async throws(HomeError) {
        try await scheduling.remove(schedule)
    }

    /// Runs the schedules of this controller in the home until the task is cancelled.
    ///
    /// A run that cannot start within ``Schedule/longestDelay`` is missed and never runs late. Where
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

    private var scheduling: CommandScheduling { CommandScheduling(commands: commands) }
}
