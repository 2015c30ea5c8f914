internal import DeviceControl
internal import DeviceDomain

/// An entry of the log about a command, as far as the command is compared with it.
package struct AuditedEntry {
    /// The bytes of the command's id.
    package let command: [UInt8]
    let kind: LedgerEvent.Kind
    let at: Int
    let state: String?
    private let detail: [UInt8]

    /// What a query must select for ``init(_:)``.
    package static let columns = ["command", "kind", "at", "state", "detail"]

    /// Reads a row of ``columns``.
    /// - Throws: ``DamagedColumn`` for a null that was never written.
    package init(_ row: some StoredRow) throws {
        var columns = ColumnReader(row)
        command = try columns.bytes("command")
        kind = LedgerEvent.Kind(rawValue: try columns.text("kind"))
        at = try columns.integer("at")
        state = columns.textIfAny()
        detail = try columns.bytes("detail")
    }

    /// The members of the detail; empty where it cannot be read.
    var members: JSONObject { JSONObject(stored: detail) ?? [:] }

    /// Whether what an earlier entry records of the command's progress surely still holds after it.
    fileprivate var keepsRecordedProgress: Bool {
        [.asked, .anomaly, .moved, .putAway, .adopted].contains(kind)
    }
}

/// The entries about one command, in their order.
package struct AuditedLog {
    private let entries: [AuditedEntry]
    /// The place of the entry that brought the present state.
    private let last: Int?

    package init(_ entries: [AuditedEntry]) {
        self.entries = entries
        last = entries.lastIndex { $0.state != nil }
    }

    /// The entry that brought the present state.
    var latest: AuditedEntry? { last.map { entries[$0] } }

    /// What the last entry `rerouted` says; `nil` if there is none.
    var rerouted: JSONObject? { entries.last { $0.kind == .rerouted }?.members }

    /// When something happened to the command.
    var times: Set<Int> { Set(entries.map(\.at)) }

    /// The codes that the device, or a channel for it, has reported.
    var codes: Set<String> {
        Set(entries.filter(\.isDeviceReport).compactMap { $0.members["code"]?.string })
    }

    /// How often the command may count as sent. A send is written down before it is tried, and taken back without an
    /// entry; one for which another process was too fast has an entry without a state.
    var sends: ClosedRange<Int> {
        let opened = entries.first?.state == CommandState.sending.rawValue ? 1 : 0
        var (counted, highest) = (opened, opened)
        for entry in entries where entry.kind == .sent {
            let attempt = entry.members["attempt"]?.integer ?? 0
            highest = max(highest, attempt)
            if entry.state != nil { counted = max(counted, attempt) }
        }
        return max(0, counted - 1)...highest
    }

    /// What the entry that brought a state records of the command's progress, with the names that evidence has; `nil`
    /// where it records nothing that surely still holds.
    func recordedProgress(in state: CommandState) -> JSONObject? {
        guard let last,
            state.isFinal || entries[(last + 1)...].allSatisfy(\.keepsRecordedProgress)
        else { return nil }
        let entry = entries[last]
        var members = entry.members
        if let progress = members["progress"]?.object { return progress }
        // Earlier versions recorded nothing in the entry that follows evidence in the same change.
        if entry.kind == .observed, members["desiredRevision"] == nil, last > 0 {
            members = entries[last - 1].members
        }
        guard let stage = members["stage"]?.string else { return nil }
        // An answer that repeats what was heard before changes the state alone.
        let holds =
            state.isFinal ? stage == state.rawValue : state.isUnderWay && entry.kind == .evidence
        return holds ? members : nil
    }
}

extension AuditedEntry {
    /// Whether the device, or a channel for it, reported on the command.
    fileprivate var isDeviceReport: Bool { kind == .evidence || kind == .answered }
}
