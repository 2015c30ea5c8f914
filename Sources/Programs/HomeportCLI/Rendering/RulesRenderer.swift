import Homeport
import TerminalOutput

/// The rules of a home, as `rule list` prints them.
struct RulesRenderer: Sendable {
    let style: ListStyle
    var layout = Layout.plain
    /// When it is printed.
    var now = MachineClock.wallTime
    /// How people read a time.
    var time: @Sendable (Timestamp) -> String = LocalTime.dateAndMinute

    /// The columns of the list.
    static let columns: [TextTable.Column] = [
        .init("ID", isNumeric: true), .init("NAME", .cut(minimum: 12)), .init("WHEN"),
        .init("FOR", shown: .whereKnown), .init("ABOUT", .cut(minimum: 8), shown: .whereKnown),
        .init("STATE"), .init("LAST RUN", omission: 1),
        .init("IF", .wrapped(minimum: 10), omission: 2, shown: .whereKnown),
        .init("DO", .wrapped(minimum: 14)),
        .init("LAST CAUSE", .wrapped(minimum: 20), goesBelow: true),
    ]

    /// The lines for these rules.
    func lines(for rules: [Rule]) -> [String] { listing(of: rules).lines(style, in: layout) }

    /// These rules.
    func listing(of rules: [Rule]) -> Listing {
        Listing(
            Self.columns,
            rules.map { rule in
                Listing.Row("\(rule.id)") {
                    cells(for: rule)
                } object: {
                    line(for: rule)
                }
            })
    }

    private func cells(for rule: Rule) -> [TextTable.Cell] {
        let plan = rule.plan
        let times = ListTimes(style, in: layout, now: now)
        let conditions = plan.conditions.map(\.description).joined(separator: ", ")
        return [
            .init("\(rule.id)", order: Double(rule.id.number)), .init(plan.name.text),
            .init("\(plan.trigger)"),
            plan.hold == .zero ? .absent : .init(plan.hold.text),
            plan.scope.text.map { .init($0) } ?? .absent,
            state(of: rule), times.cell(rule.lastRun?.at, exactly: time),
            conditions.isEmpty ? .absent : .init(conditions),
            .init(plan.actions.map(\.textWithReceiver).joined(separator: ", ")),
            (rule.pause?.reason ?? rule.lastRun?.cause).map { .init($0) } ?? .absent,
        ]
    }

    private func state(of rule: Rule) -> TextTable.Cell {
        guard let pause = rule.pause else { return .init("active") }
        return pause.reason == nil ? .init("paused", .faint) : .init("stopped", .bad)
    }

    private func line(for rule: Rule) -> JSONLine {
        let plan = rule.plan
        var line = JSONLine()
        line.add("id", "\(rule.id)")
        line.add("name", plan.name.text)
        line.add("when", "\(plan.trigger)")
        line.add("for", plan.hold == .zero ? nil : plan.hold.text)
        line.add("margin", plan.margin == 0 ? .null : .number(plan.margin))
        line.add("device", plan.scope.device?.text)
        line.add("kind", plan.scope.kind?.rawValue)
        line.add("room", plan.scope.room?.text)
        line.add("if", .array(plan.conditions.map { .string("\($0)") }))
        line.add("do", .array(plan.actions.map { .string("\($0)") }))
        line.add("to", plan.actions.lazy.compactMap(\.receiver).first?.text)
        line.add("oncePer", plan.oncePer?.text)
        line.add("maxAge", plan.maxAge.text)
        line.add("paused", .boolean(rule.pause != nil))
        line.add("pausedBecause", rule.pause?.reason)
        line.add("lastRunAt", rule.lastRun?.at.milliseconds)
        line.add("lastCause", rule.lastRun?.cause)
        return line
    }
}

extension RuleScope {
    fileprivate var device: DeviceID? { if case .device(let device) = self { device } else { nil } }
    fileprivate var kind: DeviceKind? { if case .kind(let kind) = self { kind } else { nil } }
    fileprivate var room: GivenName? { if case .room(let room) = self { room } else { nil } }

    /// As people read it; `nil` for every device.
    fileprivate var text: String? { device?.text ?? kind?.rawValue ?? room.map { "room \($0)" } }
}

extension RuleAction {
    fileprivate var receiver: DeviceID? {
        switch self {
        case .send(let command): command.receiver
        case .notify: nil
        }
    }

    fileprivate var textWithReceiver: String {
        receiver.map { "\(self) to \($0)" } ?? "\(self)"
    }
}
