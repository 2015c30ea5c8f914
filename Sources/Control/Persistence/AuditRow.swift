internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB

/// An event of the log as an entry of the chain: what its hash covers.
struct AuditRow {
    let number: Int64
    let command: Blob
    let kind: String
    let at: Int
    let cause: String
    let state: String?
    let detail: Blob
    /// The members of the detail; `nil` where it cannot be read.
    private let members: JSONObject?
    let raw: Blob?
    /// As stored; `nil` where there is none.
    let hash: SHA256?

    /// An event that gets the next number.
    init(_ event: LedgerEvent, number: Int64) {
        self.number = number
        command = Blob(event.command.bytes)
        kind = event.kind.rawValue
        at = event.at.milliseconds
        cause = event.cause
        state = event.state?.rawValue
        detail = Blob(event.detail)
        members = event.detail
        raw = event.raw.isEmpty ? nil : Blob(event.raw)
        hash = nil
    }

    /// Reads a row of the table `event`.
    init(_ row: Row) {
        number = row["number"]
        command = row["command"]
        kind = row["kind"]
        at = row["at"]
        cause = row["cause"]
        state = row["state"]
        let detail: Blob = row["detail"]
        self.detail = detail
        members = detail.object
        raw = row["raw"]
        hash = SHA256(stored: row["hash"])
    }

    /// The line of the export up to `,"hash":`. Values that cannot be read are `null`: whatever was
    /// hashed before was not.
    func content(after previous: SHA256) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.writeObject { json in
            json.writeName("n")
            json.write(Int(number))
            json.writeName("previous")
            json.write(previous.hexadecimal)
            json.writeName("at")
            json.write(at)
            json.writeName("command")
            json.write(orNull: CommandID(bytes: command.bytes)?.text)
            json.writeName("kind")
            json.write(kind)
            json.writeName("cause")
            json.write(cause)
            json.writeName("state")
            json.write(orNull: state)
            json.writeName("detail")
            json.write(members.map(JSONValue.object) ?? .null)
            json.writeName("raw")
            json.write(orNull: raw.map { SHA256.digest(of: $0.bytes).hexadecimal })
        }
        return json.bytes.dropLast()
    }

    // MARK: Statements

    /// The rows after a number, in order.
    static func fetch(after number: Int, in db: Database) throws -> RowCursor {
        try Row.fetchCursor(db.cachedStatement(sql: selection), arguments: [number])
    }

    private static let selection = """
        SELECT number, command, kind, at, cause, state, detail, raw, hash FROM event
        WHERE number > ? ORDER BY number
        """
}

extension JSONWriter {
    fileprivate mutating func write(orNull text: String?) {
        if let text { write(text) } else { writeNull() }
    }
}

extension [UInt8] {
    /// Without its last byte, which closes the object.
    fileprivate func dropLast() -> [UInt8] { Array(prefix(count - 1)) }
}
