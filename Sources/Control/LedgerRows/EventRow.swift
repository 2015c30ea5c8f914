package import DeviceControl
internal import DeviceDomain
internal import DeviceMessages

/// An event of the log as columns.
package enum EventRow {
    /// What a query must select for ``event(_:)``.
    package static let columns = ["command", "kind", "at", "cause", "state", "detail", "raw"]

    /// Reads a row of ``columns``. A state that only a newer version knows is left out of
    /// the event and told in its detail, as `state`, so that the rest of the log can be read.
    /// - Throws: ``DamagedColumn`` if a column holds what was never written.
    package static func event(_ row: some StoredRow) throws -> LedgerEvent {
        var columns = ColumnReader(row)
        let command = try StoredValue.required(
            CommandID(bytes: columns.bytes("command")), "command")
        var event = LedgerEvent(
            LedgerEvent.Kind(rawValue: try columns.text("kind")), of: command,
            at: try columns.moment("at"), cause: try columns.text("cause"))
        let state = columns.textIfAny()
        event.state = state.flatMap(CommandState.init(rawValue:))
        event.detail = try columns.object("detail")
        event.raw = columns.bytesIfAny() ?? []
        if let state, event.state == nil { event.detail["state"] = .string(state) }
        return event
    }
}
