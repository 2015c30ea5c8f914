public import DeviceControl
public import DeviceDomain
public import DeviceMessages

extension Home {
    /// Commands of this controller in the home, newest first. It needs no connection.
    /// - Throws: ``HomeError`` `ledger`.
    public func history(
        device: DeviceID? = nil, limit: Int = 50
    ) async throws(HomeError) -> [CommandRecord] {
        let query = HistoryQuery(controller: controller, home: id, device: device, limit: limit)
        let control = try await openedControl()
        do {
            return try await control.ledger.history(query)
        } catch {
            throw HomeError(error)
        }
    }

    /// A command as the ledger has it; `nil` if it does not.
    /// - Throws: ``HomeError`` `ledger`.
    public func command(_ id: CommandID) async throws(HomeError) -> CommandRecord? {
        let control = try await openedControl()
        do {
            return try await control.ledger.record(of: id)
        } catch {
            throw HomeError(error)
        }
    }

    /// Everything that happened to a command, in order.
    /// - Throws: ``HomeError`` `ledger`.
    public func events(of id: CommandID) async throws(HomeError) -> [LedgerEvent] {
        let control = try await openedControl()
        do {
            return try await control.ledger.events(of: id)
        } catch {
            throw HomeError(error)
        }
    }
}
