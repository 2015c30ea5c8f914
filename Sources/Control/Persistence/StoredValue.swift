internal import DeviceControl
internal import DeviceMessages
internal import GRDB

/// Checks what columns hold before it becomes a value.
enum StoredValue {
    /// A value that every version writes in the same form.
    /// - Throws: `DatabaseError` if the column holds what was never written: the file is damaged.
    static func required<Value>(_ value: Value?, _ column: String) throws -> Value {
        guard let value else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "column \(column) holds no valid value")
        }
        return value
    }

    /// A word of a vocabulary that a later version may have extended.
    /// - Throws: ``LedgerError`` `newerSchema` if this version does not know the word.
    static func word<Word>(
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
