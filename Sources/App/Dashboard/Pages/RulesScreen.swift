internal import Automation
internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// What is done when something happens: the rules, and the form that adds one.
///
/// Adding takes two pages without a script: first what lets the rule run and what it does, then what that needs.
@MainActor
struct RulesScreen: Screen {
    let model: RulesViewModel
    let texts: Texts

    var title: String { texts[.rules] }

    func live() -> LiveContent { LiveContent() }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("h1", text: texts[.rules]),
            element("p", .class("muted"), text: texts[.rulesText]),
            list(form),
            element("section", .class("card"), .id("add")) {
                element("h2", text: texts[.addRule])
                if let draft = model.draft {
                    RuleForm(model: model, texts: texts, draft: draft).render(form)
                } else {
                    choose
                }
            },
        ])
    }

    // MARK: The list

    private func list(_ form: FormToken) -> HTML {
        let empty = EmptyState(
            icon: .rule, title: texts[.rulesEmptyTitle], text: texts[.rulesEmptyText])
        return Placeholder(texts: texts, empty: empty.html).html(model.state)
            ?? element("ul", .class("grid")) {
                (model.state.content ?? []).map { card($0, form) }
            }
    }

    private func card(_ rule: Rule, _ form: FormToken) -> HTML {
        let (plan, words) = (rule.plan, RuleText(model: model, texts: texts))
        return element("li", .class("card stack tight"), .id("rule-\(rule.id)")) {
            element("div", .class("row spread")) {
                element("h2", .name, text: plan.name.text)
                rule.pause.map { pause in
                    Badge(
                        tone: pause.reason == nil ? .warn : .bad,
                        text: texts[pause.reason == nil ? .pausedSchedule : .ruleStopped],
                        icon: .waiting
                    ).html
                } ?? Icon.rule.svg
            }
            rule.pause?.reason.map { reason in
                element("p", .class("wrong")) { texts.reason(reason) }
            }
            element("p") {
                element("strong", text: "\(texts[.ruleWhen]): ")
                words.trigger(plan)
            }
            words.scope(plan).map { scope in
                element("p") {
                    element("strong", text: "\(texts[.devices]): ")
                    scope
                }
            }
            if !plan.conditions.isEmpty {
                element("p") {
                    element("strong", text: "\(texts[.ruleIf]): ")
                    HTML(plan.conditions.map(words.condition).joined(separator: ", "))
                }
            }
            element("p") {
                element("strong", text: "\(texts[.ruleDo]): ")
                words.actions(plan)
            }
            element("p", .class("muted small")) { words.runs(of: rule) }
            buttons(rule, form)
            model.rehearsals[rule.id].map(rehearsal)
        }
    }

    private func buttons(_ rule: Rule, _ form: FormToken) -> HTML {
        let path = "\(Route.rules.path)/\(rule.id)"
        func button(_ name: Phrase, _ step: String, _ style: String) -> HTML {
            element(
                "button", .class("little \(style)"), .init("formaction", "\(path)/\(step)"),
                .label("\(texts[name]): \(rule.plan.name)"), text: texts[name])
        }
        return form.form("\(path)/remove", .class("row")) {
            element(
                "a", .class("button little"),
                .href("\(Route.rules.path)?test=\(rule.id)#rule-\(rule.id)"),
                .label("\(texts[.ruleTest]): \(rule.plan.name)"), text: texts[.ruleTest])
            rule.pause == nil
                ? button(.pauseSchedule, "pause", "") : button(.resumeSchedule, "resume", "")
            button(.remove, "remove", "danger")
        }
    }

    // MARK: Trying one

    /// So many of the runs are shown.
    private static let mostRuns = 20

    private func rehearsal(_ tried: RulesViewModel.Rehearsal) -> HTML {
        element("div", .class("stack tight"), .init("role", "status")) {
            switch tried.result {
            case .failure(let failure): Notice(failure, texts).html
            case .success(let found):
                let count = found.runs.count
                element("h3") {
                    texts.choose(
                        english: "In the last 24 hours it would have run "
                            + (count == 1 ? "once." : "\(count) times."),
                        chinese: "最近 24 小时内会执行 \(count) 次。")
                }
                element("ol", .class("small")) {
                    found.runs.suffix(Self.mostRuns).map { run in
                        element("li") {
                            "\(texts.format.dateAndTime(run.at, now: MachineClock.wallTime)) · "
                            texts.reason(run.cause)
                        }
                    }
                }
                if count > Self.mostRuns {
                    element("p", .class("muted"), text: "+ \(count - Self.mostRuns)")
                }
                if !found.unrecorded.isEmpty {
                    let members = found.unrecorded.sorted().map(texts.terms.member)
                    element("p", .class("muted small")) {
                        "\(texts[.ruleUnrecorded]): \(members.joined(separator: ", "))"
                    }
                }
                if found.hasMeans {
                    element("p", .class("muted small"), text: texts[.ruleMeans])
                }
            }
        }
    }

    // MARK: Adding

    private var choose: HTML {
        element("form", .class("fields"), .init("method", "get"), .action(Route.rules.path)) {
            element("div", .class("field")) {
                element("label", .init("for", "rule-when"), text: texts[.ruleWhen])
                element("select", .id("rule-when"), .init("name", "when")) {
                    RuleOccasion.allCases.map { occasion in
                        element(
                            "option", .init("value", occasion.rawValue),
                            text: texts[occasion.phrase])
                    }
                }
            }
            element("div", .class("field")) {
                element("label", .init("for", "rule-do"), text: texts[.ruleDo])
                element("select", .id("rule-do"), .init("name", "do")) {
                    element(
                        "option", .init("value", Self.text(of: .notify)), text: texts[.ruleNotify])
                    model.receivers.map(commands)
                }
            }
            element("div") { element("button", .class("main"), text: texts[.next]) }
        }
    }

    private func commands(_ receiver: RulesViewModel.Receiver) -> HTML {
        let name: String
        switch receiver.subject {
        case .device(let device): name = model.name(of: device)
        case .kind(let kind): name = RuleText(model: model, texts: texts).each(kind)
        }
        return element("optgroup", .init("label", name), .name) {
            receiver.commands.map { command in
                let deed: RuleDeed =
                    switch receiver.subject {
                    case .device(let device): .send(command, to: device)
                    case .kind(let kind): .sendToEach(command, of: kind)
                    }
                return element(
                    "option", .init("value", Self.text(of: deed)),
                    text: "\(name) · \(texts.terms.command(command))")
            }
        }
    }

    // MARK: Values of the form

    /// What a rule does, as the value of a field: `notify`, `device:ID/COMMAND`, `kind:KIND/COMMAND`.
    static func text(of deed: RuleDeed) -> String {
        switch deed {
        case .notify: "notify"
        case .send(let name, let device): "device:\(device)/\(name.rawValue)"
        case .sendToEach(let name, let kind): "kind:\(kind.rawValue)/\(name.rawValue)"
        }
    }

    /// What a value of the field means; `nil` for none.
    static func deed(_ text: String) -> RuleDeed? {
        if text == "notify" { return .notify }
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let name = CommandName(rawValue: parts[1])
        return switch scope(parts[0]) {
        case .device(let device)?: .send(name, to: device)
        case .kind(let kind)?: .sendToEach(name, of: kind)
        case .room?, .everyDevice?, nil: nil
        }
    }

    /// The devices of a rule, as the value of a field: nothing for all, `device:ID`, `kind:KIND`, `room:NAME`.
    static func text(of scope: RuleScope) -> String {
        switch scope {
        case .everyDevice: ""
        case .device(let device): "device:\(device)"
        case .kind(let kind): "kind:\(kind.rawValue)"
        case .room(let room): "room:\(room)"
        }
    }

    /// What a value of the field means; `nil` for none.
    static func scope(_ text: String) -> RuleScope? {
        if text.isEmpty { return .everyDevice }
        guard let sign = text.firstIndex(of: ":") else { return nil }
        let name = String(text[text.index(after: sign)...])
        return switch text[..<sign] {
        case "device": DeviceID(rawValue: name).map(RuleScope.device)
        case "kind": .kind(DeviceKind(rawValue: name))
        case "room": (try? GivenName(name)).map(RuleScope.room)
        default: nil
        }
    }
}

extension RuleOccasion {
    /// What it is called.
    var phrase: Phrase {
        switch self {
        case .event: .whenEvent
        case .offline: .whenOffline
        case .online: .whenOnline
        case .value: .whenValue
        case .time: .whenTime
        case .sunrise: .whenSunrise
        case .sunset: .whenSunset
        }
    }
}
