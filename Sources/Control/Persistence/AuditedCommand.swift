internal import DeviceControl
internal import DeviceDomain
internal import GRDB

/// An entry `created` of the log, and beside it the command as the ledger holds it.
struct AuditedCommand {
    /// The number of the entry.
    let number: Int64
    /// What the entry says of the command; empty in entries of before the log had hashes.
    private let entry: JSONObject
    private let row: Row

    /// Takes a row of ``fetch(in:)``, to be looked at before the next one is read.
    init(_ row: Row) {
        let detail: Blob = row["detail"]
        let rerouted: Blob? = row["reroutedDetail"]
        number = row["number"]
        entry = (detail.object ?? [:]).goingOver(rerouted?.object)
        self.row = row
    }

    /// What does not fit the log, for people.
    /// - Parameter isWhole: whether the log is whole. Otherwise the entry of the present state may
    ///   be missing, and the state is not compared.
    func problems(inWholeLog isWhole: Bool) -> [String] {
        guard let payload: Blob = row["payload"] else {
            return ["its command was removed afterwards"]
        }
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
        var parts = Self.texts.filter { entry[$0]?.string != text($0) }
        parts += Self.numbers.filter { entry[$0]?.integer != integer($0) }
        if (entry["dryRun"]?.boolean ?? false) != (integer("isDryRun") == 1) {
            parts.append("dryRun")
        }
        if !hasArguments { parts.append("arguments") }
        return parts
    }

    private var hasArguments: Bool {
        guard let shown = entry["arguments"] else { return true }
        let arguments: Blob = row["arguments"]
        return arguments.object.map { shown.mayShow(.object($0)) } ?? false
    }

    /// An entry has no digest where one could find a secret by it.
    private func hasBytes(_ payload: Blob) -> Bool {
        guard let digest = entry["payload"]?.string else { return true }
        return SHA256.digest(of: payload.bytes).hexadecimal == digest
    }

    // MARK: What came of it

    private var problemsOfProgress: [String] {
        if let told = text("toldState"), told != text("state") {
            return ["the state of its command was changed afterwards"]
        }
        let parts = changedOutcome
        return parts.isEmpty
            ? [] : ["the outcome of its command was changed afterwards: \(list(parts))"]
    }

    /// The parts that the ack which ended the command tells otherwise. A command that ended in
    /// another way has no such ack.
    private var changedOutcome: [String] {
        let detail: Blob? = row["toldDetail"]
        guard let state = text("state"), CommandState(rawValue: state)?.isFinal == true,
            let ack = detail?.object, ack["stage"]?.string == state,
            let code = ack["code"]?.string
        else { return [] }
        let result: Blob = row["result"]
        let toldResult: JSONObject = ack["result"]?.object ?? [:]
        var parts: [String] = []
        if code != text("code") { parts.append("code") }
        if result.object != toldResult { parts.append("result") }
        return parts
    }

    // MARK: Columns

    private func text(_ column: String) -> String? { row[column] }

    private func integer(_ column: String) -> Int? { row[column] }

    /// The columns that an entry has members of the same name for.
    private static let texts = ["controller", "home", "device", "channel", "name", "cause"]
    private static let numbers = ["expiresAt", "ifRevision"]

    // MARK: Statements

    /// Every entry `created`, in order, with its command and the last entry that has a state.
    static func fetch(in db: Database) throws -> RowCursor {
        try Row.fetchCursor(
            db, sql: selection,
            arguments: [
                LedgerEvent.Kind.created.rawValue, LedgerEvent.Kind.rerouted.rawValue,
            ])
    }

    private static let columns =
        (texts + numbers + ["isDryRun", "arguments", "payload", "state", "code", "result"])
        .map { "command.\($0) AS \($0)" }.joined(separator: ", ")

    private static let selection = """
        SELECT event.number AS number, event.detail AS detail, \(columns),
            told.state AS toldState, told.detail AS toldDetail,
            (SELECT later.detail FROM event AS later
                WHERE later.command = event.command AND later.kind = ?2
                ORDER BY later.number DESC LIMIT 1) AS reroutedDetail
        FROM event
        LEFT JOIN command ON command.id = event.command
        LEFT JOIN event AS told ON told.number = (
            SELECT later.number FROM event AS later
            WHERE later.command = event.command AND later.state IS NOT NULL
            ORDER BY later.number DESC LIMIT 1)
        WHERE event.kind = ?1 ORDER BY event.number
        """
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
