internal import Automation
internal import DeviceControl
internal import DeviceDomain
internal import GRDB
internal import HomeModel

/// A rule as columns.
enum RuleRow {
    /// Reads a row of the table `rule`.
    /// - Throws: `DatabaseError` if a column holds what was never written.
    static func rule(_ row: Row) throws -> Rule {
        Rule(
            id: RuleID(number: row["number"]), plan: try plan(row),
            since: Timestamp(milliseconds: row["since"]),
            pause: moment(row, "pausedAt").map { RulePause(at: $0, reason: row["pauseReason"]) },
            lastRun: moment(row, "lastRunAt").map { Rule.LastRun(at: $0, cause: row["lastCause"]) })
    }

    private static func plan(_ row: Row) throws -> RulePlan {
        let (conditions, actions): (Blob, Blob) = (row["conditions"], row["actions"])
        return try RulePlan(
            name: try GivenName(row["name"] as String),
            trigger: try RuleTrigger(row["occurrence"] as String),
            hold: .milliseconds(row["hold"] as Int), margin: row["margin"],
            scope: try scope(row),
            conditions: try StoredValue.required(conditions.object?["all"]?.array, "conditions")
                .map { value in
                    try DeviceCondition(
                        reading: try StoredValue.required(value.string, "conditions"))
                },
            actions: try StoredValue.required(actions.object?["do"]?.array, "actions").map(action),
            oncePer: (row["oncePer"] as Int?).map { .milliseconds($0) },
            maxAge: .milliseconds(row["maxAge"] as Int))
    }

    private static func scope(_ row: Row) throws -> RuleScope {
        let subject: String? = row["subject"]
        let text = { try StoredValue.required(subject, "subject") }
        switch row["scope"] as String {
        case "every": return .everyDevice
        case "device": return .device(try DeviceID(text()))
        case "kind": return .kind(DeviceKind(rawValue: try text()))
        case "room": return .room(try GivenName(text()))
        default: return try StoredValue.required(nil, "scope")
        }
    }

    private static func moment(_ row: Row, _ column: String) -> Timestamp? {
        (row[column] as Int?).map(Timestamp.init(milliseconds:))
    }

    /// The values of a new row, in the order of ``insertion``.
    static func arguments(
        _ plan: RulePlan, of controller: ControllerID, in home: HomeID, from moment: Timestamp
    ) -> StatementArguments {
        let (scope, subject) = columns(of: plan.scope)
        let conditions = plan.conditions.map { JSONValue.string("\($0)") }
        return [
            controller.text, home.text, plan.name.text, "\(plan.trigger)",
            plan.hold.wholeMilliseconds, plan.margin, scope, subject,
            Blob(["all": .array(conditions)]), Blob(["do": .array(plan.actions.map(value))]),
            plan.oncePer?.wholeMilliseconds, plan.maxAge.wholeMilliseconds, moment.milliseconds,
        ]
    }

    private static func columns(of scope: RuleScope) -> (scope: String, subject: String?) {
        switch scope {
        case .everyDevice: ("every", nil)
        case .device(let id): ("device", id.text)
        case .kind(let kind): ("kind", kind.rawValue)
        case .room(let room): ("room", room.text)
        }
    }

    // MARK: Actions

    private static func value(of action: RuleAction) -> JSONValue {
        switch action {
        case .notify: ["notify": true]
        case .send(let command):
            [
                "command": .string(command.name.rawValue), "arguments": .object(command.arguments),
                "device": command.receiver.map { .string($0.text) } ?? .null,
            ]
        }
    }

    private static func action(_ value: JSONValue) throws -> RuleAction {
        let members = try StoredValue.required(value.object, "actions")
        guard let name = members["command"]?.string else {
            _ = try StoredValue.required(members["notify"], "actions")
            return .notify
        }
        return .send(
            RuleCommand(
                CommandName(rawValue: name),
                try StoredValue.required(members["arguments"]?.object, "actions"),
                to: try members["device"]?.string.map { try DeviceID($0) }))
    }

    // MARK: Statements

    static let insertion = """
        INSERT INTO rule
        (controller, home, name, occurrence, hold, margin, scope, subject, conditions, actions,
         oncePer, maxAge, since)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}
