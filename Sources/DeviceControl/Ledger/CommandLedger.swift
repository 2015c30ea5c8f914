public import DeviceDomain
public import DeviceMessages

/// The durable memory of commands, shared by every process of a controller. It is written before
/// the wire.
///
/// Each method is one use case and one transaction. A process owns the commands that it accepted
/// or adopted for as long as it lives; a dead process owns nothing.
public protocol CommandLedger: Sendable {
    /// Takes a command in, allots its sequence number and owns it.
    ///
    /// When it returns, neither the death of the process nor a power cut loses the command.
    /// - Parameter progress: its progress after it was enqueued: `queued`, or `sending` if it
    ///   leaves at once.
    func accept(_ intent: CommandIntent, opening progress: CommandProgress)
        async throws(LedgerError) -> CommandRecord

    /// Replaces the progress of a command, if it still is the one that the caller knows.
    ///
    /// It survives the death of the process. A change to `sending` survives a power cut too, and
    /// everything before it: it is the one change that must not be forgotten, because from then
    /// on the device may act. A power cut that undoes any other change leaves an earlier state
    /// from which the device is asked, so that nothing lies.
    /// - Parameter ack: the ack that the change comes from; it is stored with it.
    func advance(
        _ id: CommandID, from old: CommandProgress, to new: CommandProgress,
        because ack: AckMessage?
    ) async throws(LedgerError) -> AdvanceVerdict

    /// Stores an ack that changes nothing, once, with the command it is about.
    func file(_ ack: AckMessage) async throws(LedgerError) -> AckFiling

    /// Notes something that must not be.
    func note(_ anomaly: CommandAnomaly) async throws(LedgerError)

    /// Takes over the open commands of a controller in a home whose processes are dead.
    func adoptOrphans(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [CommandRecord]

    /// A command, if the ledger has it.
    func record(of id: CommandID) async throws(LedgerError) -> CommandRecord?

    /// Commands of users, newest first.
    func history(_ query: HistoryQuery) async throws(LedgerError) -> [CommandRecord]
}

/// What a compare-and-set came to.
public enum AdvanceVerdict: Hashable, Sendable {
    /// The new progress holds.
    case advanced
    /// Another process was faster; this is what holds.
    case overtaken(CommandRecord)
}

/// What the ledger knows of an ack.
public struct AckFiling: Hashable, Sendable {
    /// The command that it is about; `nil` if the ledger does not have it.
    public let record: CommandRecord?
    /// Whether it was not known before.
    public let isNew: Bool

    public init(record: CommandRecord?, isNew: Bool) {
        self.record = record
        self.isNew = isNew
    }
}

/// Which commands a history is about.
public struct HistoryQuery: Hashable, Sendable {
    /// The controller; `nil` for every one.
    public var controller: ControllerID?
    /// The home; `nil` for every one.
    public var home: HomeID?
    /// The device; `nil` for every one.
    public var device: DeviceID?
    /// The most commands.
    public var limit: Int

    public init(
        controller: ControllerID? = nil, home: HomeID? = nil, device: DeviceID? = nil,
        limit: Int = 50
    ) {
        self.controller = controller
        self.home = home
        self.device = device
        self.limit = limit
    }
}
