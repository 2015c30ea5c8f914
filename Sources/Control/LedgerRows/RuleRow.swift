package import Automation
internal import DeviceControl
package import DeviceDomain
internal import HomeModel

/// A rule as columns.
package enum RuleRow {
    /// What a query must select for ``rule(_:)``.
    package static let columns =
        ["number"] + planColumns + ["since", "pausedAt", "pauseReason", "lastRunAt", "lastCause"]

    /// What is planned.
    private static let planColumns = [
        "name", "occurrence", "hold", "margin", "scope", "subject", "conditions", "actions",
        "oncePer", "maxAge",
    ]

    /// The columns of a new row that ``values(of:for:in:from:)`` gives values to.
    package static let newColumns = ["controller", "home"] + planColumns + ["since"]

    /// Reads a row of ``columns``.
    /// - Throws: ``DamagedColumn`` if a column holds what was never written, and what the types of its words throw.
    package static func rule(_ row: some StoredRow) throws -> Rule {
        var columns = ColumnReader(row)
        let id = RuleID(number: try columns.integer("number"))
        let plan = try plan(&columns)
        let since = try columns.moment("since")
        let (pausedAt, reason) = (columns.momentIfAny(), columns.textIfAny())
        let lastRunAt = columns.momentIfAny()
        let lastCause = columns.textIfAny() ?? ""
        return Rule(
            id: id, plan: plan, since: since,
            pause: pausedAt.map { RulePause(at: $0, reason: reason) },
            lastRun: lastRunAt.map { Rule.LastRun(at: $0, cause: lastCause) })
    }

    private static func plan(_ columns: inout ColumnReader<some StoredRow>) throws -> RulePlan {
        let name = try GivenName(columns.text("name"))
        let trigger = try RuleTrigger(columns.text("occurrence"))
        let hold = try columns.integer("hold")
        let margin = try columns.real("margin")
        let scope = try scope(columns.text("scope"), of: columns.textIfAny())
        let conditions = try columns.object("conditions")
        let actions = try columns.object("actions")
        let oncePer = columns.integerIfAny()
        return try RulePlan(
            name: name, trigger: trigger, hold: .milliseconds(hold), margin: margin, scope: scope,
            conditions: try StoredValue.required(conditions["all"]?.array, "conditions")
                .map { value in
                    try DeviceCondition(
                        reading: try StoredValue.required(value.string, "conditions"))
                },
            actions: try StoredValue.required(actions["do"]?.array, "actions").map(action),
            oncePer: oncePer.map { .milliseconds($0) },
            maxAge: .milliseconds(try columns.integer("maxAge")))
    }

    private static func scope(_ kind: String, of subject: String?) throws -> RuleScope {
        let text = { try StoredValue.required(subject, "subject") }
        switch kind {
        case "every": return .everyDevice
        case "device": return .device(try DeviceID(text()))
        case "kind": return .kind(DeviceKind(rawValue: try text()))
        case "room": return .room(try GivenName(text()))
        default: return try StoredValue.required(nil, "scope")
        }
    }

    /// The values of ``newColumns``.
    package static func values(
        of plan: RulePlan, for controller: ControllerID, in home: HomeID, from moment: Timestamp
    ) -> [ColumnValue] {
        let (scope, subject) = columns(of: plan.scope)
        let conditions = plan.conditions.map { JSONValue.string("\($0)") }
        return [
            .text(controller.text), .text(home.text), .text(plan.name.text),
            .text("\(plan.trigger)"), .integer(plan.hold.wholeMilliseconds), .real(plan.margin),
            .text(scope), .text(ifAny: subject), .object(["all": .array(conditions)]),
            .object(["do": .array(plan.actions.map(value))]),
            .integer(ifAny: plan.oncePer?.wholeMilliseconds),
            .integer(plan.maxAge.wholeMilliseconds), .moment(moment),
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
}
