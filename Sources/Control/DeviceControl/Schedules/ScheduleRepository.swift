public import DeviceDomain

/// Keeps the schedules of homes, shared by every process of the ledger.
///
/// Each method is one use case and one transaction. Only one of several servers gets a run: whoever
/// takes it first.
public protocol ScheduleRepository: Sendable {
    /// Adds a schedule; runs that were due before `moment` do not count.
    func add(
        _ command: ScheduledCommand, at rule: ScheduleRule, of controller: ControllerID,
        in home: HomeID, from moment: Timestamp
    ) async throws(LedgerError) -> Schedule

    /// The schedules of a controller in a home, in the order in which they were added.
    func schedules(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [Schedule]

    /// Removes a schedule.
    /// - Returns: whether the controller has it in this home.
    func remove(
        _ id: ScheduleID, of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> Bool

    /// Changes what a schedule sends and when. Runs that were due before `moment` do not count.
    /// - Returns: whether the controller has it in this home.
    func change(
        _ id: ScheduleID, to command: ScheduledCommand, at rule: ScheduleRule,
        of controller: ControllerID, in home: HomeID, from moment: Timestamp
    ) async throws(LedgerError) -> Bool

    /// Pauses a schedule, or lets it go on. Runs that were due before `moment` do not count.
    /// - Returns: whether the controller has it in this home.
    func pause(
        _ id: ScheduleID, _ isPaused: Bool, of controller: ControllerID, in home: HomeID,
        from moment: Timestamp
    ) async throws(LedgerError) -> Bool

    /// Takes the run that is due at a moment, unless somebody has taken or decided it, or has paused the schedule.
    /// - Returns: whether it is the caller's now, who must report on it.
    func take(_ due: Timestamp, of id: ScheduleID) async throws(LedgerError) -> Bool

    /// Writes down what became of a run that was taken.
    func report(_ run: ScheduleRun, due: Timestamp, of id: ScheduleID) async throws(LedgerError)

    /// Writes down that the runs until a moment could not start.
    /// - Returns: whether nobody had decided about that moment before.
    func miss(_ due: Timestamp, of id: ScheduleID) async throws(LedgerError) -> Bool
}

/// What became of a run.
public enum ScheduleRun: Hashable, Sendable {
    /// Its command was sent, or may have been.
    case sent
    /// It could not start in time.
    case missed
}
