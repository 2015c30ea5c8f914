public import DeviceControl
public import DeviceDomain

/// What became of a run of a schedule, as it is known while schedules are run.
public struct ScheduleNotice: Sendable {
    /// What became of it.
    public enum Content: Sendable {
        /// Its command was sent: as it stood when the device had answered.
        case sent(CommandRecord)
        /// It could not start in time, for this reason.
        case missed(String)
    }

    /// The schedule.
    public let schedule: Schedule
    /// When the run was due.
    public let due: Timestamp
    /// What became of it.
    public let content: Content

    /// How it is remembered.
    var run: ScheduleRun {
        switch content {
        case .sent: .sent
        case .missed: .missed
        }
    }
}
