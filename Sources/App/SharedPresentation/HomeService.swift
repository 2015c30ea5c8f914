public import Connectivity
public import DeviceControl
public import DeviceDomain
public import DeviceMessages
public import HomeModel

/// What view models need of a home. `Home` offers it; an app may bring its own.
public protocol HomeService: NamingService, HistoryService, RuleService {
    /// Names the home.
    var id: HomeID { get }
    /// Where the other end of a channel is, as messages name it.
    func address(of channel: ChannelID) -> String
    /// What is known of a device at this moment, without asking anybody; `nil` if nothing is.
    func latest(_ device: DeviceID) -> KnownDevice?
    /// What is known at this moment, then every change, until the task is cancelled.
    func changes() -> HomeChanges
    /// The devices of earlier runs, in the order of their ids, from storage: it needs no connection.
    func recallDevices() async throws(Failure) -> [KnownDevice]
    /// Removes what is stored of a device, what is known of it, and what its broker keeps of it. One that
    /// is online is refused.
    /// - Returns: why it comes back all the same; `nil` where it does only when it speaks again itself.
    func forget(_ device: DeviceID) async throws(Failure) -> String?

    /// Sends a command; it is stored when the call returns.
    func send(
        _ name: CommandName, _ arguments: JSONObject, to device: DeviceID, options: CommandOptions
    ) async throws(Failure) -> SentCommand
    /// Sends what undoes the last command to a device.
    func undo(_ device: DeviceID) async throws(Failure) -> SentCommand
    /// Sends again what was undone last.
    func redo(_ device: DeviceID) async throws(Failure) -> SentCommand
    /// Takes a command back.
    /// - Returns: the command as it stands, and why it was not stopped; `nil` where it was.
    func cancel(_ command: CommandID) async throws(Failure) -> (CommandRecord, reason: String?)
    /// Puts a command away whose outcome stays unknown.
    func putAway(_ command: CommandID) async throws(Failure) -> CommandRecord
    /// The commands that a filter selects, newest first.
    func history(_ filter: CommandFilter) async throws(Failure) -> [CommandRecord]
    /// The commands that wait for their devices, newest first.
    func waitingCommands() async throws(Failure) -> [CommandRecord]
    /// Why a command is where it is.
    func explain(_ command: CommandID) async throws(Failure) -> CommandExplanation

    /// The schedules, in the order in which they were added.
    func schedules() async throws(Failure) -> [Schedule]
    /// Adds a schedule.
    func addSchedule(_ command: ScheduledCommand, at rule: ScheduleRule) async throws(Failure)
    /// Changes when a schedule is due and what its command is given.
    func changeSchedule(
        _ schedule: ScheduleID, _ arguments: JSONObject, at rule: ScheduleRule
    ) async throws(Failure)
    /// Pauses a schedule, or lets it go on.
    func pauseSchedule(_ schedule: ScheduleID, _ isPaused: Bool) async throws(Failure)
    /// Removes a schedule.
    func removeSchedule(_ schedule: ScheduleID) async throws(Failure)
}

/// A command that was sent, to be followed.
public struct SentCommand: Sendable {
    /// The command as it was stored.
    public let record: CommandRecord
    /// Why it could not leave at once and waits; `nil` where there is a connection.
    public let obstacle: Failure?
    /// The command as it stands, then every change until nothing changes it any more.
    public let changes: BoundedStream<CommandRecord>

    public init(
        record: CommandRecord, obstacle: Failure?, changes: BoundedStream<CommandRecord>
    ) {
        self.record = record
        self.obstacle = obstacle
        self.changes = changes
    }
}
