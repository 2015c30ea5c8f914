internal import Automation
internal import DeviceControlPresentation
internal import DeviceDomain
internal import DeviceMessages
internal import HomeModel
internal import Markup
internal import SharedPresentation

/// What rules say, in the language of the page.
@MainActor
struct RuleText {
    let model: RulesViewModel
    let texts: Texts

    /// What lets a rule run, and for how long it must last.
    func trigger(_ plan: RulePlan) -> HTML {
        let hold = plan.hold == .zero ? "" : " · \(texts[.ruleFor]) \(duration(plan.hold))"
        return switch plan.trigger {
        case .event(let name): HTML("\(texts[.whenEvent]): \(texts.terms.event(name.text))")
        case .presence(let status):
            HTML(texts[status == .offline ? .whenOffline : .whenOnline] + hold)
        case .comparison(let comparison): HTML(condition(comparison) + hold)
        case .time(let time): HTML("\(time) · \(texts[.everyDay])")
        case .sun(let event): HTML(texts[event == .sunrise ? .whenSunrise : .whenSunset])
        }
    }

    /// The devices that a rule is about; `nil` where it is about none.
    func scope(_ plan: RulePlan) -> HTML? {
        switch plan.scope {
        case .everyDevice: plan.trigger.isOfDevice ? HTML(texts[.all]) : nil
        case .device(let device): named(device)
        case .kind(let kind): HTML(texts.terms.kind(kind))
        case .room(let room): element("span", .name, text: room.text)
        }
    }

    /// A condition, such as `Battery < 20`.
    func condition(_ condition: DeviceCondition) -> String {
        let sign =
            switch condition.relation {
            case .less: "<"
            case .lessOrEqual: "≤"
            case .equal: "="
            case .greaterOrEqual: "≥"
            case .greater: ">"
            case .unequal: "≠"
            }
        let value =
            condition.value.number.map { texts.format.number($0, decimals: 2) }
            ?? condition.value.string.map(texts.terms.value)
            ?? condition.value.boolean.map { texts[$0 ? .yes : .no] } ?? ""
        return "\(texts.terms.member(condition.member)) \(sign) \(value)"
    }

    /// What a rule does, in order.
    func actions(_ plan: RulePlan) -> HTML {
        .joined(
            plan.actions.enumerated().map { index, action in
                let sign = index == 0 ? "" : " · "
                guard case .send(let command) = action else {
                    return HTML(sign + texts[.ruleNotify])
                }
                return .joined([
                    HTML(sign + texts.terms.command(command.name)),
                    .joined(
                        CommandText(texts: texts).arguments(command.arguments, rooms: nil)
                            .map { element("span", .name, text: " \($0)") }),
                    command.receiver.map { .joined([HTML(" → "), named($0)]) } ?? .empty,
                ])
            })
    }

    /// When a rule ran, and how often it may.
    func runs(of rule: Rule) -> HTML {
        .joined([
            HTML("\(texts[.lastRun]): "),
            rule.lastRun.map { run in
                .joined([
                    HTML(texts.format.dateAndTime(run.at, now: MachineClock.wallTime) + " · "),
                    texts.reason(run.cause),
                ])
            } ?? HTML(texts[.never]),
            rule.plan.oncePer.map { HTML(" · \(texts[.ruleRest]): \(duration($0))") } ?? .empty,
        ])
    }

    /// Every device of a kind for itself.
    func each(_ kind: DeviceKind) -> String {
        texts.choose(
            english: "\(texts.terms.kind(kind)): the one that it is about",
            chinese: "\(texts.terms.kind(kind))：相关的那一台")
    }

    private func named(_ device: DeviceID) -> HTML {
        element("span", .name, text: model.name(of: device))
    }

    private func duration(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return seconds.isMultiple(of: 60)
            ? "\(seconds / 60) \(texts[.minutes])" : "\(seconds) \(texts[.seconds])"
    }
}

extension Texts {
    /// Why a rule ran or was stopped. The ledger says it in English; in Chinese it is said anew, and what cannot be read is
    /// quoted.
    func reason(_ text: String) -> HTML {
        switch language {
        case .english: named(text)
        case .chinese: RuleReason(reading: text).map(chinese) ?? quote(text)
        }
    }

    /// What a rule has told: its name, and why it ran or was stopped.
    /// - Parameter rule: `nil` where no rule tells it.
    func told(_ text: String, by rule: GivenName?) -> HTML {
        guard let rule else { return reason(text) }
        return .joined([
            named(rule.text), HTML(choose(english: ": ", chinese: "：")), reason(text),
        ])
    }

    private func chinese(_ reason: RuleReason) -> HTML {
        switch reason {
        case .time(let time): HTML("到了 \(time)")
        case .sun(let event, let time): HTML("\(event == .sunrise ? "日出" : "日落") \(time)")
        case .event(let event, let code, let device):
            .joined([
                named(device), HTML("：\(terms.event(event))"),
                HTML(code.map { "（\(faults.name($0))）" } ?? ""),
            ])
        case .presence(let status, let device):
            .joined([named(device), HTML("：\(self[status == .online ? .online : .offline])")])
        case .value(let text, let member, let device):
            .joined([
                named(device), HTML("：\(terms.member(member)) \(value(text, of: member))"),
            ])
        case .triggersItself(let rule):
            .joined([HTML("规则 "), named(rule), HTML(" 反复触发自己，已停止。")])
        case .triggerEachOther(let rules):
            .joined([HTML("规则 "), named(rules), HTML(" 互相反复触发，已停止。")])
        }
    }

    private func value(_ text: String, of member: String) -> String {
        let value = (try? JSONReader.read(Array(text.utf8))) ?? .string(text)
        return DeviceText(texts: self).value(value, of: member)
    }

    private func named(_ text: String) -> HTML { element("span", .name, text: text) }

    /// What is in English only.
    func quote(_ text: String) -> HTML {
        element("q", .name, .init("lang", "en"), text: text)
    }
}
