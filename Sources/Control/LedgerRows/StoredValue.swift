internal import DeviceControl
package import DeviceMessages

/// A column holds what was never written: the database is damaged.
package struct DamagedColumn: Error {
    /// Which column.
    package let name: String

    package init(name: String) { self.name = name }
}

/// Checks what columns hold before it becomes a value.
package enum StoredValue {
    /// A value that every version writes in the same form.
    /// - Throws: ``DamagedColumn`` if there is none.
    package static func required<Value>(
        _ value: Value?, _ column: String
    ) throws(DamagedColumn) -> Value {
        guard let value else { throw DamagedColumn(name: column) }
        return value
    }

    /// A word of a vocabulary that a later version may have extended.
    /// - Throws: ``LedgerError`` `newerSchema` if this version does not know the word.
    package static func word<Word>(
        _ text: String, _ column: String, of id: CommandID, _ read: (String) -> Word?
    ) throws -> Word {
        guard let word = read(text) else {
            throw LedgerError(
                .newerSchema,
                "a newer version wrote the \(column) \(text.debugDescription) for the command "
                    + "\(id), which this version does not know; use the newer program for it")
        }
        return word
    }
}
