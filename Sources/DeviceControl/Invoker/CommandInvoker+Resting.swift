internal import Connectivity
internal import DeviceMessages

extension CommandInvoker {
    /// Keeps a command in little room if it does nothing but wait. One that somebody waits for or watches is
    /// left as it is, because its whole record is told at every change.
    func rest(_ id: CommandID) {
        guard !waits.contain(id), !watchers.contain(id) else { return }
        commands.rest(id)
    }

    /// Reads the bytes of a command that rested, and is to be sent or told.
    func fetchPayload(of id: CommandID) async throws(LedgerError) {
        guard commands[id]?.lacksPayload == true else { return }
        guard let record = try await ledger.record(of: id) else {
            throw LedgerError(.conflict, "the ledger has no command \(id)")
        }
        commands[id]?.take(payload: record.prepared.payload)
    }
}
