internal import DeviceControl
internal import DeviceDomain

/// An entry `created` of the log, and beside it the command as the ledger holds it.
package struct AuditedCommand {
    /// The number of the entry.
    package let number: Int
    /// What the entry says of the command; empty in entries of before the log had hashes.
    private let entry: JSONObject
    /// All entries about the command.
    let log: AuditedLog
    /// The bytes of the command; `nil` where the ledger does not have it.
    private let payload: [UInt8]?
    let texts: [String: String]
    let integers: [String: Int]
    private let isDryRun: Bool
    let isOpen: Bool
    private let arguments: JSONObject?
    let result: JSONObject?

    /// What a query must select for ``init(_:_:)``, of the tables `event` and `command`. The first column is the id of the
    /// command.
    package static let columns =
        ["event.command", "event.number", "event.detail"]
        + (["payload", "isDryRun", "isOpen", "arguments", "result"] + names + numbers)
        .map { "command.\($0)" }

    /// Reads a row of ``columns``.
    /// - Parameter log: the entries about the command.
    /// - Throws: ``DamagedColumn`` for a null that was never written.
    package init(_ row: some StoredRow, _ log: AuditedLog) throws {
        var columns = ColumnReader(row)
        _ = try columns.bytes("command")
        number = try columns.integer("number")
        let detail = JSONObject(stored: try columns.bytes("detail"))
        payload = columns.bytesIfAny()
        isDryRun = columns.flagIfAny() ?? false
        isOpen = columns.flagIfAny() ?? false
        arguments = columns.bytesIfAny().flatMap(JSONObject.init(stored:))
        result = columns.bytesIfAny().flatMap(JSONObject.init(stored:))
        var texts: [String: String] = [:]
        for name in Self.names { texts[name] = columns.textIfAny() }
        self.texts = texts
        var integers: [String: Int] = [:]
        for name in Self.numbers { integers[name] = columns.integerIfAny() }
        self.integers = integers
        self.log = log
        entry = (detail ?? [:]).goingOver(log.rerouted)
    }

    /// What does not fit the log, for people.
    /// - Parameter isWhole: whether the log is whole. Otherwise the entry of the present state may
    ///   be missing, and what came of the command is not compared.
    package func problems(inWholeLog isWhole: Bool) -> [String] {
        guard let payload else { return ["its command was removed afterwards"] }
        var problems: [String] = []
        let parts = changedParts
        if !parts.isEmpty { problems.append("its command was changed afterwards: \(list(parts))") }
        if !hasBytes(payload) {
            problems.append("the bytes of its command were changed afterwards")
        }
        return isWhole ? problems + problemsOfProgress : problems
    }

    private func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }

    // MARK: What was wanted

    private var changedParts: [String] {
        guard entry.keys.contains("device") else { return [] }
        var parts = Self.wantedNames.filter { entry[$0]?.string != texts[$0] }
        parts += Self.wantedNumbers.filter { entry[$0]?.integer != integers[$0] }
        if (entry["dryRun"]?.boolean ?? false) != isDryRun { parts.append("dryRun") }
        if !hasArguments { parts.append("arguments") }
        // Entries of earlier versions have none of these.
        guard entry.keys.contains("issuedAt") else { return parts }
        parts += Self.addedNames.filter { entry[$0]?.string != texts[$0] }
        return parts + Self.addedNumbers.filter { entry[$0]?.integer != integers[$0] }
    }

    private var hasArguments: Bool {
        guard let shown = entry["arguments"] else { return true }
        return arguments.map { shown.mayShow(.object($0)) } ?? false
    }

    /// An entry has no digest where one could find a secret by it.
    private func hasBytes(_ payload: [UInt8]) -> Bool {
        guard let digest = entry["payload"]?.string else { return true }
        return SHA256.digest(of: payload).hexadecimal == digest
    }

    // MARK: What came of it

    private var problemsOfProgress: [String] {
        if let latest = log.latest, latest.state != texts["state"] {
            return ["the state of its command was changed afterwards"]
        }
        let parts = changedProgress
        return parts.isEmpty
            ? [] : ["the outcome of its command was changed afterwards: \(list(parts))"]
    }

    // MARK: Columns

    /// The columns that an entry has members of the same name for, then those of the progress.
    private static let names = wantedNames + addedNames + ["state", "code", "message"]
    private static let wantedNames = ["controller", "home", "device", "channel", "name", "cause"]
    private static let addedNames = ["lane", "sort", "offline"]
    private static let numbers =
        wantedNumbers + addedNumbers + [
            "sends", "revision", "desiredRevision", "createdAt", "sentAt", "acceptedAt", "finalAt",
            "observedAt", "closedAt",
        ]
    private static let wantedNumbers = ["expiresAt", "ifRevision"]
    private static let addedNumbers = ["offlineMilliseconds", "issuedAt", "sequence"]
}

extension JSONObject {
    /// An entry of a command whose channel was changed before it left.
    fileprivate func goingOver(_ rerouted: JSONObject?) -> JSONObject {
        guard let rerouted, !isEmpty else { return self }
        var entry = self
        entry["channel"] = rerouted["channel"]
        entry["payload"] = rerouted["payload"]
        return entry
    }
}

extension JSONValue {
    /// What the log has in the place of a secret.
    private static let redacted = JSONValue.string("[redacted]")

    /// Whether the log may show a value as this one: they are equal apart from secrets.
    fileprivate func mayShow(_ value: JSONValue) -> Bool {
        if self == .redacted { return true }
        if let shown = object, let members = value.object {
            return shown.count == members.count
                && shown.allSatisfy { name, part in
                    members[name].map { part.mayShow($0) } ?? false
                }
        }
        if let shown = array, let values = value.array {
            return shown.count == values.count
                && zip(shown, values).allSatisfy { part, value in part.mayShow(value) }
        }
        return self == value
    }
}
