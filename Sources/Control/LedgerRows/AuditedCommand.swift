internal import DeviceControl
internal import DeviceDomain

/// An entry `created` of the log, and beside it the command as the ledger holds it.
package struct AuditedCommand {
    /// The number of the entry.
    package let number: Int
    /// What the entry says of the command; empty in entries of before the log had hashes.
    private let entry: JSONObject
    /// The bytes of the command; `nil` where the ledger does not have it.
    private let payload: [UInt8]?
    private let texts: [String: String]
    private let integers: [String: Int]
    private let isDryRun: Bool
    private let arguments: JSONObject?
    private let result: JSONObject?
    /// What the last entry with a state says.
    private let told: (state: String?, detail: JSONObject?)

    /// What a query must select for ``init(_:)``, of the tables `event`, `command`, and `told`, which is the last entry
    /// of the command that has a state; then the detail of the last entry `rerouted`.
    package static let columns =
        ["event.number", "event.detail", "told.state", "told.detail"]
        + (["payload", "isDryRun", "arguments", "result"] + names + numbers).map { "command.\($0)" }

    /// Reads a row of ``columns``.
    /// - Throws: ``DamagedColumn`` for a null that was never written.
    package init(_ row: some StoredRow) throws {
        var columns = ColumnReader(row)
        number = try columns.integer("number")
        let detail = JSONObject(stored: try columns.bytes("detail"))
        told = (columns.textIfAny(), columns.bytesIfAny().flatMap(JSONObject.init(stored:)))
        payload = columns.bytesIfAny()
        isDryRun = columns.flagIfAny() ?? false
        arguments = columns.bytesIfAny().flatMap(JSONObject.init(stored:))
        result = columns.bytesIfAny().flatMap(JSONObject.init(stored:))
        var texts: [String: String] = [:]
        for name in Self.names { texts[name] = columns.textIfAny() }
        self.texts = texts
        var integers: [String: Int] = [:]
        for name in Self.numbers { integers[name] = columns.integerIfAny() }
        self.integers = integers
        let rerouted = columns.bytesIfAny().flatMap(JSONObject.init(stored:))
        entry = (detail ?? [:]).goingOver(rerouted)
    }

    /// What does not fit the log, for people.
    /// - Parameter isWhole: whether the log is whole. Otherwise the entry of the present state may
    ///   be missing, and the state is not compared.
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
        parts += Self.numbers.filter { entry[$0]?.integer != integers[$0] }
        if (entry["dryRun"]?.boolean ?? false) != isDryRun { parts.append("dryRun") }
        if !hasArguments { parts.append("arguments") }
        return parts
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
        if let state = told.state, state != texts["state"] {
            return ["the state of its command was changed afterwards"]
        }
        let parts = changedOutcome
        return parts.isEmpty
            ? [] : ["the outcome of its command was changed afterwards: \(list(parts))"]
    }

    /// The parts that the ack which ended the command tells otherwise. A command that ended in
    /// another way has no such ack.
    private var changedOutcome: [String] {
        guard let state = texts["state"], CommandState(rawValue: state)?.isFinal == true,
            let ack = told.detail, ack["stage"]?.string == state, let code = ack["code"]?.string
        else { return [] }
        let toldResult: JSONObject = ack["result"]?.object ?? [:]
        var parts: [String] = []
        if code != texts["code"] { parts.append("code") }
        if result != toldResult { parts.append("result") }
        return parts
    }

    /// The columns that an entry has members of the same name for, then those of the outcome.
    private static let names = wantedNames + ["state", "code"]
    private static let wantedNames = ["controller", "home", "device", "channel", "name", "cause"]
    private static let numbers = ["expiresAt", "ifRevision"]
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
