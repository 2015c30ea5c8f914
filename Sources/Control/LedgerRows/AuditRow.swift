package import DeviceControl
internal import DeviceDomain
internal import DeviceMessages

/// An event of the log as an entry of the chain: what its hash covers.
package struct AuditRow: Sendable {
    package let number: Int
    private let command: [UInt8]
    private let kind: String
    private let at: Int
    private let cause: String
    private let state: String?
    private let detail: [UInt8]
    /// The members of the detail; `nil` where it cannot be read.
    private let members: JSONObject?
    private let raw: [UInt8]?
    /// As stored; `nil` where there is none.
    package let hash: SHA256?

    /// An event that gets the next number.
    package init(_ event: LedgerEvent, number: Int) {
        self.number = number
        command = event.command.bytes
        kind = event.kind.rawValue
        at = event.at.milliseconds
        cause = event.cause
        state = event.state?.rawValue
        detail = event.detail.stored
        members = event.detail
        raw = event.raw.isEmpty ? nil : event.raw
        hash = nil
    }

    /// What a query must select for ``init(_:)``.
    package static let columns = ["number"] + EventRow.columns + ["hash"]

    /// Reads a row of ``columns``.
    /// - Throws: ``DamagedColumn`` for a null that was never written.
    package init(_ row: some StoredRow) throws {
        var columns = ColumnReader(row)
        number = try columns.integer("number")
        command = try columns.bytes("command")
        kind = try columns.text("kind")
        at = try columns.integer("at")
        cause = try columns.text("cause")
        state = columns.textIfAny()
        detail = try columns.bytes("detail")
        members = JSONObject(stored: detail)
        raw = columns.bytesIfAny()
        hash = SHA256(stored: columns.bytesIfAny())
    }

    /// The values of ``columns``, with the hash that the entry gets.
    package func values(with hash: SHA256) -> [ColumnValue] {
        [
            .integer(number), .bytes(command), .text(kind), .integer(at), .text(cause),
            .text(ifAny: state), .bytes(detail), raw.map(ColumnValue.bytes) ?? .null,
            .bytes(hash.bytes),
        ]
    }

    /// Its hash behind that of the entry before.
    package func hash(after previous: SHA256) -> SHA256 {
        SHA256.digest(of: content(after: previous))
    }

    /// The line of the export up to `,"hash":`, printable. Values that cannot be read are `null`: whatever was
    /// hashed before was not.
    package func content(after previous: SHA256) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.writeObject { json in
            json.writeName("n")
            json.write(number)
            json.writeName("previous")
            json.write(previous.hexadecimal)
            json.writeName("at")
            json.write(at)
            json.writeName("command")
            json.write(orNull: CommandID(bytes: command)?.text)
            json.writeName("kind")
            json.write(kind)
            json.writeName("cause")
            json.write(cause)
            json.writeName("state")
            json.write(orNull: state)
            json.writeName("detail")
            json.write(members.map(JSONValue.object) ?? .null)
            json.writeName("raw")
            json.write(orNull: raw.map { SHA256.digest(of: $0).hexadecimal })
        }
        let content: [UInt8] = json.bytes.dropLast()
        // The writer escapes what is below a blank, so plain ASCII is printable.
        guard content.contains(where: { $0 >= 0x7F }) else { return content }
        let printable = Array(String(decoding: content, as: UTF8.self).printable.utf8)
        // Earlier versions did not escape what a terminal would obey, and hashed it so.
        return printable != content && hash == SHA256.digest(of: content) ? content : printable
    }
}

extension AuditEntry {
    /// An entry as it is exported.
    package init(_ row: AuditRow, after previous: SHA256) {
        let hash = row.hash?.hexadecimal ?? ""
        let content = String(decoding: row.content(after: previous), as: UTF8.self)
        self.init(number: row.number, hash: hash, line: "\(content),\"hash\":\"\(hash)\"}")
    }
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
