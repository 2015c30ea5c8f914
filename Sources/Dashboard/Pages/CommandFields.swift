internal import DeviceDomain
internal import DeviceMessages

/// The fields of a command as they stand on a page.
struct CommandFields: Sendable {
    let texts: Texts
    let form: CommandForm
    let entry: CommandEntry
    /// Begins the `id` of every field, so that several forms stand on one page.
    let scope: String

    func render() -> HTML {
        element("div", .class("fields")) {
            if !entry.problem.isEmpty {
                Notice(tone: .bad, text: entry.problem, isUrgent: true).html
            }
            form.fields.map(field)
        }
    }

    private func field(_ field: CommandForm.Field) -> HTML {
        let id = "\(scope)-\(field.name == CommandForm.anything ? "any" : field.name)"
        let problem = entry.problems[field.name]
        if case .choices(let values) = field.kind { return checkboxes(field, values, id, problem) }
        return element("div", .class("field")) {
            element("label", .init("for", id)) { name(field) }
            input(field, id, problem)
            hint(field).map { element("span", .class("hint"), .id("\(id)-hint"), text: $0) }
            problem.map { element("span", .class("wrong"), .id("\(id)-wrong"), text: $0) }
        }
    }

    private func name(_ field: CommandForm.Field) -> HTML {
        .joined([
            HTML(
                field.name == CommandForm.anything
                    ? texts[.arguments] : texts.terms.member(field.name)),
            field.isRequired
                ? .empty : element("span", .class("muted"), text: " (\(texts[.optional]))"),
        ])
    }

    private func checkboxes(
        _ field: CommandForm.Field, _ values: [JSONValue], _ id: String, _ problem: String?
    ) -> HTML {
        let chosen = entry.texts[field.name] ?? []
        return element("fieldset", .class("field")) {
            element("legend") { name(field) }
            element("div", .class("choices")) {
                values.map { value in
                    let json = String(decoding: JSONWriter.write(value), as: UTF8.self)
                    return element("label", .class("choice")) {
                        void(
                            "input", .init("type", "checkbox"),
                            .init("name", CommandForm.prefix + field.name), .init("value", json),
                            .init("checked", chosen.contains(json)))
                        element("span", text: texts.choiceName(value))
                    }
                }
            }
            problem.map { element("span", .class("wrong"), .id("\(id)-wrong"), text: $0) }
        }
    }

    private func common(
        _ field: CommandForm.Field, _ id: String, _ problem: String?
    ) -> [HTMLAttribute] {
        let descriptions =
            (hint(field) == nil ? [] : ["\(id)-hint"]) + (problem == nil ? [] : ["\(id)-wrong"])
        var attributes: [HTMLAttribute] = [
            .id(id), .init("name", CommandForm.prefix + field.name),
            .init("required", field.isRequired),
        ]
        if !descriptions.isEmpty {
            attributes.append(.init("aria-describedby", descriptions.joined(separator: " ")))
        }
        if problem != nil { attributes.append(.init("aria-invalid", "true")) }
        return attributes
    }

    private func input(
        _ field: CommandForm.Field, _ id: String, _ problem: String?
    ) -> HTML {
        let attributes = common(field, id, problem)
        let value = entry.texts[field.name]?.first ?? ""
        switch field.kind {
        case .choice(let values):
            return select(attributes, field, values.map { ($0, texts.choiceName($0)) }, value)
        // Checkboxes have no single input: they are made above, with a legend.
        case .choices: return .empty
        case .boolean:
            return select(
                attributes, field, [(true, texts[.yes]), (false, texts[.no])], value)
        case .number(let minimum, let maximum, let isWhole):
            var limits: [HTMLAttribute] = [.init("step", isWhole ? "1" : "any")]
            if let minimum { limits.append(.init("min", Self.plain(minimum))) }
            if let maximum { limits.append(.init("max", Self.plain(maximum))) }
            return element("div", .class("unit")) {
                HTML.void(
                    "input", attributes + limits + [.init("type", "number"), .init("value", value)])
                DeviceTerms.unit(field.name).map { element("span", text: $0) }
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
        _ attributes: [HTMLAttribute], _ field: CommandForm.Field,
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

    private func hint(_ field: CommandForm.Field) -> String? {
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

extension Texts {
    /// A value that can be chosen, in words.
    func choiceName(_ value: JSONValue) -> String {
        value.string.map(terms.value) ?? String(decoding: JSONWriter.write(value), as: UTF8.self)
    }
}
