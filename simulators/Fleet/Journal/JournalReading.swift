/// What a journal's bytes say.
struct JournalReading {
    /// The sum of its entries.
    private(set) var fold = JournalFold()
    /// Where the next record belongs; what lies beyond is a torn tail.
    let wholeLength: Int

    private static let formatLine = Array(#"{"format":"homeport-journal","version":1}"#.utf8)

    /// What every journal begins with.
    static let header: [UInt8] = {
        var bytes: [UInt8] = []
        JournalFrame.append(formatLine, to: &bytes)
        return bytes
    }()

    /// Reads the bytes of the journal at `path`.
    /// - Throws: ``FleetError`` if they are of another format, or damaged before their end.
    init(_ bytes: [UInt8], of path: String) throws(FleetError) {
        let contents = JournalFrame.read(bytes)
        if let line = contents.damagedLine {
            throw Self.damaged(path, "line \(line) does not match its checksum")
        }
        wholeLength = contents.wholeLength
        guard let first = contents.records.first else {
            guard bytes.isEmpty || Self.header.starts(with: bytes) else {
                throw Self.damaged(path, "it does not begin with the header of a journal")
            }
            return
        }
        guard first.elementsEqual(Self.formatLine) else {
            throw Self.damaged(path, "it is not of format homeport-journal, version 1")
        }
        for (index, record) in contents.records.enumerated().dropFirst() {
            do {
                fold.apply(try JournalLine(bytes: Array(record)))
            } catch {
                throw Self.damaged(path, "line \(index + 1): \(error)")
            }
        }
    }

    private static func damaged(_ path: String, _ what: String) -> FleetError {
        FleetError(
            .journalDamaged,
            "journal \(path) is damaged: \(what); devices would forget what they have done: "
                + "restore it, or move it away to start with devices that know nothing")
    }
}
