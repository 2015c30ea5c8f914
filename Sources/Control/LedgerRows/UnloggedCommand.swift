internal import DeviceMessages

/// A command that the ledger holds although no entry of the log says that it was accepted.
package struct UnloggedCommand {
    /// The first entry about the command; `nil` if there is none.
    package let number: Int?
    private let id: CommandID?

    /// Reads a row with the id of the command and the number of its first entry.
    /// - Throws: ``DamagedColumn`` where the id is a null.
    package init(_ row: some StoredRow) throws {
        var columns = ColumnReader(row)
        id = CommandID(bytes: try columns.bytes("id"))
        number = columns.integerIfAny()
    }

    /// What is wrong, for people.
    package var problem: String {
        let name = id?.text ?? "with an invalid id"
        return "no entry says that the command \(name) was accepted; another program added it"
    }
}
