internal import Connectivity
internal import DeviceControl
public import DeviceDomain
public import DeviceMessages

extension Home {
    /// Undoes the commands of a group one after the other, the last one first. A step that is refused
    /// does not stop the others.
    /// - Parameter group: the id of the group, also of an earlier run.
    /// - Returns: a result for each command of the group; where it is an error, `cannotUndo` says why.
    /// - Throws: ``HomeError`` `unknownCommand` where the ledger has no such group, `ledger`.
    public func undo(group: CommandID) async throws(HomeError) -> [GroupStep] {
        var steps: [GroupStep] = []
        // Those that were sent again are the later ones.
        let newestFirst = try await latest(of: group).sorted {
            ($0.intent.issuedAt, $0.intent.device) > ($1.intent.issuedAt, $1.intent.device)
        }
        for record in newestFirst {
            let result: Result<CommandReceipt, HomeError>
            do {
                result = .success(try await undo(record))
            } catch {
                result = .failure(error)
            }
            steps.append(
                GroupStep(device: record.intent.device, command: record.id, result: result))
        }
        return steps
    }

    /// Undoes a command, if it is the last one to its device that can be undone.
    private func undo(_ record: CommandRecord) async throws(HomeError) -> CommandReceipt {
        try await compensate(record.intent.device) { history throws(UndoRefusal) in
            try history.undo(record.id)
        }
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
