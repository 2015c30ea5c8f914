public import DeviceControl
public import DeviceMessages

extension Home {
    /// Why a command is where it is: what happened to it, and what happens next. It needs no
    /// connection.
    /// - Throws: ``HomeError`` `unknownCommand` where the ledger does not have it, `foreignCommand` where it
    ///   is of another home, `ledger`.
    public func explain(_ id: CommandID) async throws(HomeError) -> CommandExplanation {
        guard let record = try await command(id) else {
            throw HomeError(.unknownCommand, "the ledger has no command \(id)")
        }
        try requireOfHome(record)
        return CommandExplanation(
            record, try await events(of: id), over: traits(of: record.prepared.channel),
            at: MachineClock.wallTime)
    }
}
