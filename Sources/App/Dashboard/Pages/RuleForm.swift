internal import Automation
internal import DeviceControlPresentation
internal import DeviceDomain
internal import HomeModel
internal import Markup
internal import SharedPresentation

/// The form of a rule: the fields that its occasion and its deed need.
@MainActor
struct RuleForm {
    let model: RulesViewModel
    let texts: Texts
    let draft: RuleDraftForm

    private var words: RuleText { RuleText(model: model, texts: texts) }

    func render(_ form: FormToken) -> HTML {
        form.form("\(Route.rules.path)#add", .class("stack"), .init("data-leaves")) {
            hidden("when", draft.occasion.rawValue)
            hidden("do", RulesScreen.text(of: draft.deed))
            element("p") {
                element("strong", text: texts[draft.occasion.phrase])
                " → "
                deed
            }
            refusal
            element("div", .class("fields")) {
                input("name", .name, draft.name, wrong: problem(.name), [.init("required")])
                occasion
                if draft.hasScope { devices }
            }
            draft.form.map {
                CommandFields(
                    texts: texts, form: $0, scope: "rule", names: texts.roomNames(draft.rooms)
                ).render()
            }
            element("div", .class("fields")) {
                if draft.deed != .notify { alsoTell }
                minutes("rest", .ruleRest, draft.rest, wrong: problem(.rest))
            }
            element("div", .class("row")) {
                element("button", .class("main"), text: texts[.save])
                element("a", .class("button"), .href(Route.rules.path), text: texts[.cancel])
            }
        }
    }

    private var refusal: HTML? {
        switch draft.problem {
        case .refused(let failure): Notice(failure, texts).html
        case .parts(let reason):
            Notice(
                tone: .bad, text: texts.choose(english: reason, chinese: texts[.rulePartsWrong]),
                isUrgent: true
            ).html
        case .name, .event, .relation, .scope, .value, .time, .minutes, .rest, .condition, nil: nil
        }
    }

    private var deed: HTML {
        switch draft.deed {
        case .notify: HTML(texts[.ruleNotify])
        case .send(let name, let device):
            .joined([
                HTML("\(texts.terms.command(name)) · "),
                element("span", .name, text: model.name(of: device)),
            ])
        case .sendToEach(let name, let kind):
            HTML("\(texts.terms.command(name)) · \(words.each(kind))")
        }
    }

    // MARK: What lets it run

    @HTMLBuilder private var occasion: HTML {
        switch draft.occasion {
        case .event:
            select(
                "event", .eventKind, draft.event,
                model.events.map { ($0.text, texts.terms.event($0.text)) },
                wrong: problem(.event))
        case .value:
            select(
                "member", .ruleMember, draft.member,
                model.members(for: draft.deed).map { ($0, texts.terms.member($0)) }, areNames: true)
            select(
                "relation", .ruleRelation, draft.relation?.rawValue ?? "",
                DeviceCondition.Relation.allCases.map { ($0.rawValue, texts[$0.phrase]) },
                wrong: problem(.relation))
            input(
                "value", .ruleValue, draft.value, wrong: problem(.value), [.init("required")])
        case .time:
            input(
                "time", .time, draft.time, wrong: problem(.time),
                [.init("type", "time"), .init("required")])
        case .offline, .online, .sunrise, .sunset: HTML.empty
        }
        if draft.occasion.lasts {
            minutes("minutes", .ruleFor, draft.minutes, wrong: problem(.minutes))
        }
    }

    // MARK: The devices

    @HTMLBuilder private var devices: HTML {
        select(
            "scope", .devices, draft.scope.map { RulesScreen.text(of: $0) } ?? "", scopes,
            wrong: problem(.scope), areNames: true)
        input(
            "condition", .ruleIf, draft.condition, wrong: problem(.condition),
            [.init("placeholder", "activity=cleaning"), .init("autocomplete", "off")],
            isOptional: true)
    }

    private var scopes: [(value: String, text: String)] {
        let rooms = model.rooms.map { ($0.text, RuleScope.room($0)) }
        let kinds = model.kinds.map { (texts.terms.kind($0), RuleScope.kind($0)) }
        let devices = model.devices.map { (model.name(of: $0), RuleScope.device($0)) }
        let all: [(String, RuleScope)]
        if case .sendToEach(_, let kind) = draft.deed {
            all = kinds.filter { $0.1 == .kind(kind) } + rooms
        } else {
            all = [(texts[.all], .everyDevice)] + rooms + kinds + devices
        }
        var offered = all.map { (value: RulesScreen.text(of: $0.1), text: $0.0) }
        if let scope = draft.scope, scope != .everyDevice, !all.contains(where: { $0.1 == scope }) {
            // What is not there any more stays chosen: the first one must not take its place unseen.
            let chosen = RulesScreen.text(of: scope)
            offered.append((value: chosen, text: String(chosen.drop { $0 != ":" }.dropFirst())))
        }
        return offered
    }

    // MARK: Fields

    private enum Field { case name, event, relation, scope, value, time, minutes, rest, condition }

    /// What is wrong with a field; `nil` for nothing.
    private func problem(_ field: Field) -> String? {
        func sentence(_ english: String, _ phrase: Phrase) -> String {
            texts.choose(english: english, chinese: texts[phrase])
        }
        return switch (field, draft.problem) {
        case (.name, .name(let reason)): sentence(reason, .ruleNameWrong)
        case (.event, .event): texts[.required]
        case (.relation, .relation), (.scope, .scope): texts.sentence(.notAChoice)
        case (.value, .value(let reason)): sentence(reason, .ruleValueWrong)
        case (.time, .time): texts[.required]
        case (.minutes, .minutes), (.rest, .rest): texts[.ruleMinutesWrong]
        case (.condition, .condition(let reason)): sentence(reason, .ruleValueWrong)
        default: nil
        }
    }

    private func minutes(
        _ name: String, _ label: Phrase, _ value: String, wrong: String?
    ) -> HTML {
        input(
            name, label, value, wrong: wrong,
            [.init("type", "number"), .init("min", "0"), .init("inputmode", "numeric")],
            isOptional: true, unit: texts[.minutes])
    }

    private var alsoTell: HTML {
        element("label", .class("choice")) {
            void(
                "input", .init("type", "checkbox"), .init("name", "tells"), .init("value", "yes"),
                .init("checked", draft.tells))
            element("span", text: texts[.ruleTellToo])
        }
    }

    private func hidden(_ name: String, _ value: String) -> HTML {
        void(
            "input", .init("type", "hidden"), .init("name", name), .init("value", value))
    }

    private func input(
        _ name: String, _ label: Phrase, _ value: String, wrong: String?,
        _ attributes: [HTMLAttribute], isOptional: Bool = false, unit: String? = nil
    ) -> HTML {
        let own: [HTMLAttribute] = [
            .id("rule-\(name)"), .init("name", name), .init("value", value),
        ]
        return field(name, label, wrong: wrong, isOptional: isOptional) { described in
            let control = HTML.void("input", own + attributes + described)
            return unit.map { unit in
                element("div", .class("unit")) {
                    control
                    element("span", text: unit)
                }
            } ?? control
        }
    }

    private func select(
        _ name: String, _ label: Phrase, _ chosen: String,
        _ values: [(value: String, text: String)], wrong: String? = nil, areNames: Bool = false
    ) -> HTML {
        field(name, label, wrong: wrong) { described in
            element("select", [.id("rule-\(name)"), .init("name", name)] + described) {
                values.map { value, text in
                    element(
                        "option",
                        [.init("value", value), .init("selected", value == chosen)]
                            + (areNames ? [.name] : []), content: { HTML(text) })
                }
            }
        }
    }

    private func field(
        _ name: String, _ label: Phrase, wrong: String?, isOptional: Bool = false,
        _ control: ([HTMLAttribute]) -> HTML
    ) -> HTML {
        let described: [HTMLAttribute] =
            wrong == nil
            ? []
            : [.init("aria-invalid", "true"), .init("aria-describedby", "rule-\(name)-wrong")]
        return element("div", .class("field")) {
            element("label", .init("for", "rule-\(name)")) {
                texts[label]
                if isOptional {
                    element("span", .class("muted"), text: " (\(texts[.optional]))")
                }
            }
            control(described)
            wrong.map { element("span", .class("wrong"), .id("rule-\(name)-wrong"), text: $0) }
        }
    }
}

extension DeviceCondition.Relation {
    fileprivate var phrase: Phrase {
        switch self {
        case .less: .isLess
        case .lessOrEqual: .isAtMost
        case .equal: .isEqual
        case .greaterOrEqual: .isAtLeast
        case .greater: .isMore
        case .unequal: .isNot
        }
    }
}
