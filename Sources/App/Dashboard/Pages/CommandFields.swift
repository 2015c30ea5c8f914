internal import DeviceControlPresentation
internal import DeviceDomain
internal import DeviceMessages
internal import Markup
internal import SharedPresentation

/// The fields of a command as they stand on a page.
struct CommandFields: Sendable {
    let texts: Texts
    let form: CommandForm
    /// Begins the `id` of every field, so that several forms stand on one page.
    let scope: String
    /// What choices are called that have a name of their own, such as rooms.
    var names: [JSONValue: String] = [:]
    /// Whether what is wrong with all of it is said here.
    var saysProblem = true
    /// Whether a field is among those that are shown.
    var isShown: @Sendable (CommandField) -> Bool = { _ in true }

    /// Fields have this before their names, so that no argument is taken for another field.
    static let prefix = "argument-"

    func render() -> HTML {
        element("div", .class("fields")) {
            if saysProblem, !form.problem.isEmpty { problem.html }
            form.fields.filter(isShown).map(field)
        }
    }

    /// What is wrong with all of it.
    private var problem: Notice {
        switch texts.language {
        case .english: Notice(tone: .bad, text: form.problem, isUrgent: true)
        case .chinese:
            Notice(
                tone: .bad, text: "参数不符合此命令的要求。", quotation: texts.quote(form.problem),
                isUrgent: true)
        }
    }

    private func field(_ field: CommandField) -> HTML {
        let id = "\(scope)-\(field.name == CommandForm.anything ? "any" : field.name)"
        let problem = field.problem.map(texts.explanation(of:))
        if case .choices(let values) = field.kind { return checkboxes(field, values, id, problem) }
        return element("div", .class("field")) {
            element("label", .init("for", id)) { name(field) }
            input(field, id, problem)
            hint(field).map { element("span", .class("hint"), .id("\(id)-hint"), text: $0) }
            problem.map { wrong($0, id) }
        }
    }

    private func wrong(_ problem: HTML, _ id: String) -> HTML {
        element("span", .class("wrong"), .id("\(id)-wrong")) { problem }
    }

    private func name(_ field: CommandField) -> HTML {
        .joined([
            HTML(
                field.name == CommandForm.anything
                    ? texts[.arguments] : texts.terms.member(field.name)),
            field.isRequired
                ? .empty : element("span", .class("muted"), text: " (\(texts[.optional]))"),
        ])
    }

    private func checkboxes(
        _ field: CommandField, _ values: [JSONValue], _ id: String, _ problem: HTML?
    ) -> HTML {
        return element("fieldset", .class("field")) {
            element("legend") { name(field) }
            element("div", .class("choices")) {
                values.map { value in
                    let json = String(decoding: JSONWriter.write(value), as: UTF8.self)
                    return element("label", .class("choice")) {
                        void(
                            "input", .init("type", "checkbox"),
                            .init("name", Self.prefix + field.name), .init("value", json),
                            .init("checked", field.isChosen(value)))
                        names[value].map { element("span", .name, text: $0) }
                            ?? element("span", text: texts.choiceName(value))
                    }
                }
            }
            problem.map { wrong($0, id) }
        }
    }

    private func common(
        _ field: CommandField, _ id: String, _ problem: HTML?
    ) -> [HTMLAttribute] {
        let descriptions =
            (hint(field) == nil ? [] : ["\(id)-hint"]) + (problem == nil ? [] : ["\(id)-wrong"])
        var attributes: [HTMLAttribute] = [
            .id(id), .init("name", Self.prefix + field.name),
            .init("required", field.isRequired),
        ]
        if !descriptions.isEmpty {
            attributes.append(.init("aria-describedby", descriptions.joined(separator: " ")))
        }
        if problem != nil { attributes.append(.init("aria-invalid", "true")) }
        return attributes
    }

    private func input(
        _ field: CommandField, _ id: String, _ problem: HTML?
    ) -> HTML {
        let attributes = common(field, id, problem)
        let value = field.text
        switch field.kind {
        case .choice(let values):
            return select(attributes, field, values.map { ($0, texts.choiceName($0)) }, value)
        // Checkboxes have no single input: they are made above, with a legend.
        case .choices: return .empty
        case .boolean:
            return select(
                attributes, field, [(true, texts[.yes]), (false, texts[.no])], value)
        case .number where !field.presets.isEmpty:
            return element("div", .class("unit")) {
                HTML.void(
                    "input",
                    attributes + [.init("list", "\(id)-presets"), .init("value", value)])
                element("datalist", .init("id", "\(id)-presets")) {
                    field.presets.map { element("option", .init("value", $0.name), text: $0.name) }
                }
                field.unit.map { element("span", text: $0.symbol) }
            }
        case .number(let minimum, let maximum, let isWhole):
            var limits: [HTMLAttribute] = [.init("step", isWhole ? "1" : "any")]
            if let minimum { limits.append(.init("min", Self.plain(minimum))) }
            if let maximum { limits.append(.init("max", Self.plain(maximum))) }
            return element("div", .class("unit")) {
                HTML.void(
                    "input", attributes + limits + [.init("type", "number"), .init("value", value)])
                field.unit.map { element("span", text: $0.symbol) }
            }
        case .text(let isSecret):
            return HTML.void(
                "input",
                attributes + [.init("type", isSecret ? "password" : "text"), .init("value", value)])
        case .numbers:
            return HTML.void(
                "input", attributes + [.init("inputmode", "numeric"), .init("value", value)])
        case .json: return .element("textarea", attributes + [.init("rows", "3")], HTML(value))
        }
    }

    private func select(
        _ attributes: [HTMLAttribute], _ field: CommandField,
        _ values: [(JSONValue, String)], _ chosen: String
    ) -> HTML {
        element("select", attributes) {
            if !field.isRequired || values.count > 1 {
                element("option", .init("value", ""), text: "–")
            }
            values.map { value, name in
                let json = String(decoding: JSONWriter.write(value), as: UTF8.self)
                return element(
                    "option", .init("value", json), .init("selected", json == chosen), text: name)
            }
        }
    }

    private func hint(_ field: CommandField) -> String? {
        let hints = [limits(of: field)].compactMap(\.self) + field.presets.map(\.name)
        return hints.isEmpty
            ? nil : hints.joined(separator: texts.choose(english: ", ", chinese: "，"))
    }

    private func limits(of field: CommandField) -> String? {
        switch field.kind {
        case .number(let minimum?, let maximum?, _):
            "\(texts.format.number(minimum)) – \(texts.format.number(maximum))"
        case .number(let minimum?, nil, _): "≥ \(texts.format.number(minimum))"
        case .number(nil, let maximum?, _): "≤ \(texts.format.number(maximum))"
        case .numbers:
            texts.choose(english: "Numbers, such as 1, 2, 3", chinese: "数字，如 1, 2, 3")
        case .json: texts.choose(english: "As JSON", chinese: "以 JSON 填写")
        case .choice, .choices, .boolean, .text, .number(nil, nil, _): nil
        }
    }

    private static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension FormValues {
    /// What was entered into a field of a command.
    func text(of field: CommandField) -> String {
        let values = all(CommandFields.prefix + field.name).filter { !$0.isEmpty }
        switch field.kind {
        case .choices: return values.isEmpty ? "" : "[\(values.joined(separator: ","))]"
        case .choice, .boolean, .number, .text, .numbers, .json: return values.first ?? ""
        }
    }
}

extension Texts {
    /// What is wrong with a field, with a reason that is in English only as a quotation.
    func explanation(of problem: CommandField.Problem) -> HTML {
        let sentence = HTML(sentence(problem))
        guard language == .chinese, case .refused(let reason) = problem else { return sentence }
        return .joined([sentence, quote(reason)])
    }

    /// What is wrong with a field.
    func sentence(_ problem: CommandField.Problem) -> String {
        switch problem {
        case .missing: self[.required]
        case .notANumber: choose(english: "Write a number.", chinese: "请输入数字。")
        case .notWhole: choose(english: "Write a whole number.", chinese: "请输入整数。")
        case .tooSmall(let minimum):
            choose(english: "At least ", chinese: "最小为 ") + format.number(minimum)
        case .tooLarge(let maximum):
            choose(english: "At most ", chinese: "最大为 ") + format.number(maximum)
        case .notNumbers:
            choose(english: "Write numbers, such as 1, 2, 3.", chinese: "请输入数字，如 1, 2, 3。")
        case .notAChoice: choose(english: "Choose one.", chinese: "请选择一项。")
        case .notJSON: choose(english: "Write JSON.", chinese: "请输入 JSON。")
        case .refused(let reason): choose(english: reason, chinese: "此值不符合此命令的要求。")
        }
    }

    /// A value that can be chosen, in words.
    func choiceName(_ value: JSONValue) -> String {
        value.string.map(terms.value) ?? String(decoding: JSONWriter.write(value), as: UTF8.self)
    }
}
