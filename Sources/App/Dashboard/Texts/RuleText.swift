internal import Automation
internal import DeviceControlPresentation
internal import DeviceDomain
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
                    element("span", .name, text: run.cause),
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
