public import DeviceControl

extension Home {
    /// Asks the devices about every command of this controller whose outcome is unknown, and waits
    /// for their answers. A device that is away is not waited for.
    /// - Returns: those commands as they stand after that, newest first.
    /// - Throws: ``HomeError`` `noConnection`, `ledger`.
    public func resolveUnknown() async throws(HomeError) -> [CommandRecord] {
        let control = try await openedControl()
        do {
            let unknown = try await control.ledger.history(
                HistoryQuery(controller: controller, home: id, stage: .unknown, limit: .max))
            try await requireConnection()
            try await control.invoker.ask(about: unknown) { await self.locate($0) }
            var resolved: [CommandRecord] = []
            for record in unknown {
                resolved.append(
                    try await control.invoker.outcome(of: record.id, goal: .noAnswerDue).record)
            }
            return resolved
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
