import Homeport

extension CommandSpecification {
    /// The argument of a command that takes exactly one, or needs exactly one.
    var onlyArgument: (name: String, schema: ArgumentSchema)? {
        guard let arguments else { return nil }
        let names =
            arguments.required.isEmpty ? Array(arguments.properties.keys) : arguments.required
        guard names.count == 1, let name = names.first, let schema = arguments.properties[name]
        else { return nil }
        return (name, schema)
    }

    /// The arguments that the bridge keeps until the command is sent, in the order of their names;
    /// `nil` if the command needs one that is no choice, number in a range or truth value. A command of
    /// which only the name is known needs none.
    var drafts: [Draft]? {
        guard let arguments else { return [] }
        var drafts: [Draft] = []
        for argument in arguments.required.sorted() {
            guard let schema = arguments.properties[argument], schema.canBeEntity else {
                return nil
            }
            drafts.append(Draft(command: name, argument: argument, schema: schema))
        }
        return drafts
    }

    /// Lists that the command may be given, of which each item is one of a few: rooms.
    var itemChoices: [(argument: String, items: [JSONValue])] {
        guard let arguments, arguments.required.isEmpty else { return [] }
        return arguments.properties.sorted { $0.key < $1.key }.compactMap { name, schema in
            guard schema.type == .array, let items = schema.items?.allowed,
                (1...100).contains(items.count), items.allSatisfy({ $0.text != nil })
            else { return nil }
            return (name, items)
        }
    }
}

extension ArgumentSchema {
    /// The texts to choose from; `nil` where it is no choice of texts, numbers and truth values.
    var choices: [String]? {
        guard let allowed, !allowed.isEmpty, !isWriteOnly, !isTruth else { return nil }
        let texts = allowed.compactMap(\.choiceText)
        return texts.count == allowed.count && Set(texts).count == texts.count ? texts : nil
    }

    /// The value of one of the ``choices``; `nil` for another text.
    func choice(_ text: String) -> JSONValue? { allowed?.first { $0.choiceText == text } }

    /// Whether it is true or false.
    var isTruth: Bool {
        guard !isWriteOnly else { return false }
        return allowed.map { Set($0) == [true, false] } ?? (type == .boolean)
    }

    /// Whether it is a number from a range that is known.
    var isRange: Bool {
        guard allowed == nil, !isWriteOnly, type == .number || type == .integer,
            let minimum, let maximum
        else { return false }
        return minimum < maximum
    }

    /// Whether an entity of Home Assistant can hold its value.
    var canBeEntity: Bool {
        choices != nil || isRange || isTruth
    }
}

extension JSONValue {
    /// A text, number or truth value as a person chooses it.
    var choiceText: String? { text ?? boolean.map { "\($0)" } }
}
