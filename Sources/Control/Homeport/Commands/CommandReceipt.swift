public import Connectivity
public import DeviceControl
internal import DeviceDomain
public import DeviceMessages

/// Tracks one command. Delivered, accepted, finished and observed are four different things.
public struct CommandReceipt: Sendable, Identifiable {
    /// The command as the ledger took it.
    public let record: CommandRecord
    /// Why it could not leave at once; `nil` where there is a connection. It waits in the ledger.
    public let obstacle: HomeError?
    /// Whether it was left to another process, which owns the home and sends it.
    public let isLeft: Bool
    private let invoker: CommandInvoker

    init(
        _ record: CommandRecord, invoker: CommandInvoker, obstacle: HomeError?,
        isLeft: Bool = false
    ) {
        self.isLeft = isLeft
        self.record = record
        self.invoker = invoker
        self.obstacle = obstacle
    }

    /// Names the command.
    public var id: CommandID { record.id }

    /// Waits until the broker has confirmed the command, or something later is known. It does not
    /// mean that the device has the command.
    /// - Throws: as ``outcome(_:within:)``.
    @discardableResult
    public func delivered(within limit: Duration? = nil) async throws(HomeError) -> WaitResult {
        try await outcome(.delivered, within: limit)
    }

    /// Waits until the device has accepted the command, or it has ended.
    /// - Throws: as ``outcome(_:within:)``.
    @discardableResult
    public func accepted(within limit: Duration? = nil) async throws(HomeError) -> WaitResult {
        try await outcome(.accepted, within: limit)
    }

    /// Waits until the command has ended, or its outcome is unknown.
    /// - Throws: as ``outcome(_:within:)``.
    @discardableResult
    public func finished(within limit: Duration? = nil) async throws(HomeError) -> WaitResult {
        try await outcome(.final, within: limit)
    }

    /// Waits until the effect is seen in the device's own state, or the command has ended without
    /// one; for 10 s after its end where no limit is given.
    /// - Throws: as ``outcome(_:within:)``.
    @discardableResult
    public func observed(within limit: Duration? = nil) async throws(HomeError) -> WaitResult {
        try await outcome(.observed, within: limit)
    }

    /// Waits for the command to come so far, or to its end.
    /// - Parameters:
    ///   - goal: how far.
    ///   - limit: ends the wait, not the command.
    /// - Throws: ``HomeError`` `cancelled` for a cancelled task, `ledger`.
    public func outcome(
        _ goal: WaitGoal = .final, within limit: Duration? = nil
    ) async throws(HomeError) -> WaitResult {
        do {
            return try await invoker.outcome(of: id, goal: goal, within: limit)
        } catch {
            throw HomeError(error)
        }
    }

    /// The command as it stands, then every change until nothing changes it any more; a slow reader
    /// gets the newest.
    public var changes: BoundedStream<CommandRecord> { invoker.changes(of: id) }
}
