public import DeviceControl
public import DeviceDomain
public import DeviceMessages

/// One command that was sent to many devices.
public struct CommandGroup: Sendable, Identifiable {
    /// A UUID of version 7 of its own; its commands have the cause `group:ID`.
    public let id: CommandID
    /// One receipt for each command, in the order of the devices' ids.
    public let receipts: [CommandReceipt]
    /// Devices that were selected, but have no such command.
    public let withoutCommand: [DeviceID]

    /// What its commands have as their cause.
    static func cause(of id: CommandID) -> String { "group:\(id)" }

    /// The group whose commands have this cause; `nil` for another cause.
    static func id(ofCause cause: String?) -> CommandID? {
        guard let cause, cause.hasPrefix("group:") else { return nil }
        return CommandID(String(cause.dropFirst("group:".count)))
    }

    /// Waits for every command to come so far, or to its end.
    /// - Parameters:
    ///   - goal: how far.
    ///   - limit: for the whole group; ends the wait, not the commands.
    /// - Returns: a result for each command, in the order of ``receipts``.
    /// - Throws: as ``CommandReceipt/outcome(_:within:)``.
    public func outcomes(
        _ goal: WaitGoal = .final, within limit: Duration? = nil
    ) async throws(HomeError) -> [WaitResult] {
        var results: [WaitResult] = []
        let end = limit.map { ContinuousClock.now + $0 }
        for receipt in receipts {
            let rest = end.map { max($0 - .now, .zero) }
            results.append(try await receipt.outcome(goal, within: rest))
        }
        return results
    }
}

/// What came of undoing one command of a group.
public struct GroupStep: Sendable {
    /// The device.
    public let device: DeviceID
    /// The command of the group.
    public let command: CommandID
    /// The command that undoes it, or why there is none.
    public let result: Result<CommandReceipt, HomeError>
}
