internal import Connectivity
internal import DeviceControl
public import DeviceDomain
internal import HomeModel

extension Home {
    /// Undoes the last command of this controller to a device that can be undone: a setting by the
    /// value that it replaced, an action that is under way by the command that reverses it.
    ///
    /// The device refuses it if its state has changed meanwhile, so that nobody's change is lost.
    /// - Throws: ``HomeError`` `cannotUndo` with the reason, and as ``send(_:_:to:options:)``.
    @discardableResult
    public func undo(_ device: DeviceID) async throws(HomeError) -> CommandReceipt {
        try await compensate(device) { history throws(UndoRefusal) in try history.undo() }
    }

    /// Does again what was undone last on a device, unless another command has come since.
    /// - Throws: as ``undo(_:)``.
    @discardableResult
    public func redo(_ device: DeviceID) async throws(HomeError) -> CommandReceipt {
        try await compensate(device) { history throws(UndoRefusal) in try history.redo() }
    }

    /// How many commands to a device are looked at.
    private static let undoDepth = 1_000

    func compensate(
        _ device: DeviceID,
        _ choose: (UndoHistory) throws(UndoRefusal) -> CompensatingCommand
    ) async throws(HomeError) -> CommandReceipt {
        let known = try await receiver(device)
        guard let profile = known.profile else { throw .unknownDevice(device.text, in: id) }
        let history = UndoHistory(
            try await historyHere(of: [device], limit: Self.undoDepth), of: profile,
            revision: known.report.revision, state: known.report.state)
        let command: CompensatingCommand
        do {
            command = try choose(history)
        } catch {
            throw HomeError(.cannotUndo, error.description)
        }
        let options = CommandOptions(ifRevision: command.ifRevision, cause: command.cause.text)
        return try await submit(
            try order(command.name, .values(command.arguments), for: known, options))
    }
}
