public import DeviceControl

extension Home {
    /// Asks the devices about every command of this controller whose outcome is unknown, or that a dead
    /// process has left open, and waits for their answers. A device that is away is not waited for.
    /// - Returns: those commands as they stand after that, newest first; without those that still wait for
    ///   their devices.
    /// - Throws: ``HomeError`` `noConnection`, `ledger`.
    public func resolveUnknown() async throws(HomeError) -> [CommandRecord] {
        let control = try await openedControl()
        do {
            let unknown = try await control.ledger.history(
                HistoryQuery(
                    controller: controller, home: id, stage: .unknown, isHere: true, limit: .max))
            try await requireConnection()
            let left = try await takeOverOpenCommands()
            try await control.invoker.ask(about: unknown) { await self.locate($0) }
            var resolved: [CommandRecord] = []
            for command in Set(unknown.map(\.id) + left) {
                let end = try await control.invoker.outcome(of: command, goal: .noAnswerDue)
                if !end.record.isWaiting { resolved.append(end.record) }
            }
            return resolved.sorted { $0.intent.issuedAt > $1.intent.issuedAt }
        } catch let error as LedgerError {
            throw HomeError(error)
        } catch let error as ControlError {
            throw HomeError(error)
        } catch let error as HomeError {
            throw error
        } catch {
            throw HomeError(.failed, "\(error)")
        }
    }
}

extension CommandRecord {
    /// Whether it waits for its device: here, or in the settings that the broker keeps.
    fileprivate var isWaiting: Bool {
        state == .created || state == .queued || (progress.isKept && state != .unknown)
    }
}
