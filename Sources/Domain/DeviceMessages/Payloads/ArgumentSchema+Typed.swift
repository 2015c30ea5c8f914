public import DeviceDomain

extension ArgumentSchema {
    /// The value that a text stands for which somebody typed: JSON where it parses as JSON and this schema takes
    /// that JSON, else the text itself, as `1234` for a text.
    ///
    /// Members of objects and items of lists are read the same, as `{"code":1234}` where the code is a text.
    /// What the schema takes in neither form is JSON if it parses, so that the check can say what is wrong.
    public func value(typed text: String) -> JSONValue {
        let typed = JSONValue.string(text)
        guard let json = try? JSONReader.read(Array(text.utf8)) else { return typed }
        let value = textsWhereWanted(in: json)
        return !accepts(value) && accepts(typed) ? typed : value
    }

    /// The value with the parts as texts that this schema takes as texts only.
    private func textsWhereWanted(in value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            return .object(
                members.reduce(into: members) { read, member in
                    read[member.key] = properties[member.key]?.part(member.value) ?? member.value
                })
        case .array(let values): return .array(values.map { items?.part($0) ?? $0 })
        case .null, .boolean, .number, .string: return value
        }
    }

    /// A part of what was typed. A fraction may have been typed in several ways, so it stays a number.
    private func part(_ value: JSONValue) -> JSONValue {
        let value = textsWhereWanted(in: value)
        guard !accepts(value), value.integer != nil || value.boolean != nil || value.isNull else {
            return value
        }
        let text = JSONValue.string(String(decoding: JSONWriter.write(value), as: UTF8.self))
        return accepts(text) ? text : value
    }
}
