extension ArgumentSchema {
    /// A description of the allowed values, such as `a whole number from 0 to 100`.
    var expectation: String {
        if let allowed {
            let values = allowed.map(\.brief)
            return values.count == 1
                ? values[0] : "one of \(values.joined(separator: ", "))"
        }
        switch type {
        case .array: return "a list"
        case .object: return "an object"
        case .string: return "a text"
        case .number: return "a number\(range)\(orPreset)"
        case .integer: return "a whole number\(range)\(orPreset)"
        case .boolean: return "true or false"
        case .null: return "null"
        case nil: return "a value"
        }
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
    func typedExample(of name: String) -> String { "\(name)=\(example)".shellWord }

    /// A valid value, as a user types it after `name=`.
    private var example: String {
        if case .string(let text)? = allowed?.first { return text }
        return allowed == nil && type == .string ? "text" : json
    }

    /// A valid value, as JSON.
    private var json: String {
        if let first = allowed?.first {
            return Self.json(of: first)
        }
        switch type {
        case .array: return "[\(items?.listExample ?? "1")]"
        case .object:
            let members = required.sorted().map {
                "\"\($0)\":\(properties[$0]?.json ?? "1")"
            }
            return "{\(members.joined(separator: ","))}"
        case .string: return "\"text\""
        case .number, .integer: return JSONValue.number(numberExample).brief
        case .boolean: return "true"
        case .null: return "null"
        case nil: return "1"
        }
    }

    /// The items of a valid list: two of them if possible, so that the example shows how to write a list.
    private var listExample: String {
        if let allowed, allowed.count > 1 {
            return [allowed[0], allowed[1]].map(Self.json(of:)).joined(separator: ",")
        }
        let next = numberExample + 1
        guard type == .integer, allowed == nil, maximum.map({ next <= $0 }) ?? true else {
            return json
        }
        return "\(json),\(JSONValue.number(next).brief)"
    }

    private static func json(of value: JSONValue) -> String {
        value.string.map { "\"\($0)\"" } ?? value.brief
    }

    private var numberExample: Double {
        let low = minimum ?? min(1, maximum ?? 1)
        return low == 0 ? min(1, maximum ?? 1) : low
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
