internal import DeviceDomain
internal import DeviceMessages

/// The fields of a command, made from the schema of its arguments.
struct CommandForm: Sendable {
    /// A field: an argument, and how it is asked for.
    struct Field: Hashable, Sendable {
        /// How it is asked for.
        enum Kind: Hashable, Sendable {
            /// One of a few values, as JSON.
            case choice([JSONValue])
            /// Yes or no.
            case boolean
            /// A number within limits.
            case number(minimum: Double?, maximum: Double?, isWhole: Bool)
            /// A text.
            case text(isSecret: Bool)
            /// Any number of a few values, as JSON.
            case choices([JSONValue])
            /// Whole numbers, with commas between them.
            case numbers
            /// Anything else, as JSON.
            case json
        }

        let name: String
        let kind: Kind
        let isRequired: Bool
    }

    let specification: CommandSpecification
    /// The fields; those that are needed come first.
    let fields: [Field]

    init(_ specification: CommandSpecification) {
        self.specification = specification
        guard let schema = specification.arguments else {
            // A device of somebody else that gives only names: its arguments are written as JSON.
            fields = [Field(name: Self.anything, kind: .json, isRequired: false)]
            return
        }
        fields = schema.properties.map { name, property in
            Field(
                name: name, kind: Self.kind(property), isRequired: schema.required.contains(name))
        }
        .sorted { ($0.isRequired ? 0 : 1, $0.name) < ($1.isRequired ? 0 : 1, $1.name) }
    }

    /// The name of the field for arguments of which nothing is known.
    static let anything = "*"
    /// Fields have this before their names, so that no argument is taken for another field.
    static let prefix = "argument-"

    private static func kind(_ schema: ArgumentSchema) -> Field.Kind {
        if let allowed = schema.allowed { return .choice(allowed) }
        switch schema.type {
        case .boolean: return .boolean
        case .integer, .number:
            return .number(
                minimum: schema.minimum, maximum: schema.maximum, isWhole: schema.type == .integer)
        case .string: return .text(isSecret: schema.isWriteOnly)
        case .array:
            if let allowed = schema.items?.allowed { return .choices(allowed) }
            return schema.items?.type == .integer ? .numbers : .json
        case .object, .null, nil: return .json
        }
    }
}

/// What was filled into the fields of a command.
struct CommandEntry: Sendable {
    /// The texts as they were sent, by field; several where several were chosen.
    var texts: [String: [String]] = [:]
    /// What is wrong with them, by field.
    var problems: [String: String] = [:]
    /// What is wrong with all of it; empty for nothing.
    var problem = ""
    /// The arguments; those with a problem are missing.
    var arguments: JSONObject = [:]

    /// Nothing was filled in.
    init() {}

    /// Reads a form that was sent.
    init(_ form: FormValues, for command: CommandForm, texts words: Texts) {
        for field in command.fields {
            let values = form.all(CommandForm.prefix + field.name).filter { !$0.isEmpty }
            texts[field.name] = values
            guard !values.isEmpty else {
                if field.isRequired { problems[field.name] = words[.required] }
                continue
            }
            guard let value = Self.value(values, field.kind) else {
                problems[field.name] = words.mistyped(field.kind)
                continue
            }
            if field.name == CommandForm.anything {
                arguments = value.object ?? [:]
            } else {
                arguments[field.name] = value
            }
        }
        check(against: command.specification.arguments)
    }

    /// Whether nothing is wrong.
    var isRight: Bool { problems.isEmpty && problem.isEmpty }

    /// The device's own schema has the last word.
    private mutating func check(against schema: ArgumentSchema?) {
        guard problems.isEmpty, let schema else { return }
        do {
            try schema.check(arguments)
        } catch {
            let name = String(error.path.prefix { $0 != "." && $0 != "[" })
            if texts[name] != nil {
                problems[name] = error.reason
            } else {
                problem = error.description
            }
        }
    }

    private static func value(
        _ values: [String], _ kind: CommandForm.Field.Kind
    ) -> JSONValue? {
        let text = values[0]
        switch kind {
        case .choices:
            let chosen = values.map { try? JSONReader.read(Array($0.utf8)) }
            guard chosen.allSatisfy({ $0 != nil }) else { return nil }
            return .array(chosen.compactMap(\.self))
        case .choice, .json: return try? JSONReader.read(Array(text.utf8))
        case .boolean: return text == "true" ? true : text == "false" ? false : nil
        case .number:
            guard let number = Double(text.filter { $0 != " " }), number.isFinite else {
                return nil
            }
            return .number(number)
        case .text: return .string(text)
        case .numbers:
            let parts = text.split { ", ，、".contains($0) }.map { Int($0) }
            guard parts.allSatisfy({ $0 != nil }) else { return nil }
            return .array(parts.compactMap { $0.map { .number(Double($0)) } })
        }
    }
}

extension Texts {
    fileprivate func mistyped(_ kind: CommandForm.Field.Kind) -> String {
        switch kind {
        case .number: choose(english: "Write a number.", chinese: "请输入数字。")
        case .numbers:
            choose(english: "Write numbers, such as 1, 2, 3.", chinese: "请输入数字，如 1, 2, 3。")
        case .choice, .choices, .boolean: choose(english: "Choose one.", chinese: "请选择一项。")
        case .text: choose(english: "Write a text.", chinese: "请输入文字。")
        case .json: choose(english: "Write JSON.", chinese: "请输入 JSON。")
        }
    }
}
