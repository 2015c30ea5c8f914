extension ArgumentSchema {
    /// A description of the allowed values, such as `a whole number from 0 to 100`.
    var expectation: String {
        if let allowed {
            let values = allowed.map(named)
            return values.count == 1
                ? values[0] : "one of \(values.joined(separator: ", "))"
        }
        switch type {
        case .array:
            guard let items, items.allowed != nil else { return "a list" }
            return "a list, of which each item is \(items.expectation)"
        case .object: return "an object"
        case .string: return "a text"
        case .number: return "a number\(range)\(orPreset)"
        case .integer: return "a whole number\(range)\(orPreset)"
        case .boolean: return "true or false"
        case .null: return "null"
        case nil: return "a value"
        }
    }

    /// A value as text, with its name if it has one: `7 (Kitchen)`.
    private func named(_ value: JSONValue) -> String {
        let preset = presets.first { $0.value == value && $0.name != value.string }
        return preset.map { "\(value.brief) (\($0.name))" } ?? value.brief
    }

    /// `, or previous` for a value that may also be one of these names; else empty.
    var orPreset: String {
        let names = presets.map(\.name)
        guard let last = names.last else { return "" }
        return names.count == 1
            ? ", or \(last)" : ", or one of \(names.joined(separator: ", "))"
    }

    private var range: String {
        switch (minimum, maximum) {
        case (let low?, let high?):
            " from \(JSONValue.number(low).brief) to \(JSONValue.number(high).brief)"
        case (let low?, nil): ", at least \(JSONValue.number(low).brief)"
        case (nil, let high?): ", at most \(JSONValue.number(high).brief)"
        case (nil, nil): ""
        }
    }

    /// `name=value` with a valid value, as a user types it into a shell.
    /// - Parameter members: the way to a part of it that the example must have.
    func typedExample(of name: String, with members: ArraySlice<String> = []) -> String {
        "\(name)=\(example(with: members))".shellWord
    }

    /// A valid value, as a user types it after `name=`.
    private func example(with members: ArraySlice<String>) -> String {
        if case .string(let text)? = allowed?.first { return text }
        if let preset = presets.first, minimum == nil || maximum == nil { return preset.name }
        return allowed == nil && type == .string ? "text" : json(with: members)
    }

    /// A valid value, as JSON.
    private func json(with members: ArraySlice<String> = []) -> String {
        if let first = allowed?.first {
            return Self.json(of: first)
        }
        let (next, rest) = (members.first, members.dropFirst())
        switch type {
        case .array:
            return rest.isEmpty
                ? "[\(items?.listExample ?? "1")]" : "[\(items?.json(with: rest) ?? "1")]"
        case .object:
            let names = Set(required).union(next.map { [$0] } ?? [])
            let members = names.sorted().map { name in
                "\"\(name)\":\(memberExample(name, with: name == next ? rest : []))"
            }
            return "{\(members.joined(separator: ","))}"
        case .string: return "\"text\""
        case .number, .integer: return JSONValue.number(numberExample).brief
        case .boolean: return "true"
        case .null: return "null"
        case nil: return "1"
        }
    }

    /// A valid value of a member, as JSON.
    private func memberExample(_ name: String, with members: ArraySlice<String>) -> String {
        let schema = properties[name] ?? ArgumentSchema()
        // A schema cannot say the form of a text; in the protocol this one is a time of day (PROTOCOL section 5).
        let isTime = name == "at" && schema.type == .string && schema.allowed == nil
        return isTime ? "\"08:30\"" : schema.json(with: members)
    }

    /// The items of a valid list: two of them if possible, so that the example shows how to write a list.
    private var listExample: String {
        if let allowed, allowed.count > 1 {
            return [allowed[0], allowed[1]].map(Self.json(of:)).joined(separator: ",")
        }
        let (first, next) = (lowest, lowest + 1)
        guard type == .integer, allowed == nil, maximum.map({ next <= $0 }) ?? true else {
            return json()
        }
        return "\(JSONValue.number(first).brief),\(JSONValue.number(next).brief)"
    }

    private static func json(of value: JSONValue) -> String {
        value.string.map { "\"\($0)\"" } ?? value.brief
    }

    /// A low value that does something.
    private var lowest: Double {
        let low = minimum ?? min(1, maximum ?? 1)
        return low == 0 ? min(1, maximum ?? 1) : low
    }

    /// The middle of the range, a whole number where there is one; a low value where the range is open.
    private var numberExample: Double {
        guard let minimum, let maximum else { return lowest }
        let middle = minimum + (maximum - minimum) / 2
        let whole = middle.rounded(.down)
        return whole >= minimum ? whole : middle
    }
}

extension String {
    /// The text as one word of a shell: in quotes if the shell would change it.
    fileprivate var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...:
                true
            default: "_-.,:=/+@%".utf8.contains(byte)
            }
        }
        return isPlain
            ? self
            : "'"
                + split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: #"'\''"#) + "'"
    }
}
