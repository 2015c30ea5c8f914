internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel

extension CommandSending {
    /// How many commands to a device are looked at.
    private static let undoDepth = 1_000

    /// Sends the command that undoes or redoes another one.
    func compensate(
        _ device: DeviceID,
        _ choose: (UndoHistory) throws(UndoRefusal) -> CompensatingCommand
    ) async throws(HomeError) -> CommandReceipt {
        let known = try await receiver(device)
        guard let profile = known.profile else {
            throw .unknownDevice(device.text, in: observation.place)
        }
        // Who owns the home knows where it is.
        let isHere = try await !isOwnedElsewhere()
        let former = try await history(
            HistoryQuery(
                controller: controller, home: observation.home, devices: [device], isHere: isHere,
                limit: Self.undoDepth))
        let history = UndoHistory(
            former, of: profile, revision: known.report.revision, state: known.report.state)
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
