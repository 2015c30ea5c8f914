import Homeport

extension ArgumentSchema {
    /// The arguments as people type them: `level=quiet|balanced|turbo|max [passes=1…3]`.
    var usage: String {
        let names = properties.keys.sorted {
            (isOptional($0) ? 1 : 0, $0) < (isOptional($1) ? 1 : 0, $1)
        }
        return names.map(usage(of:)).joined(separator: " ")
    }

    private func isOptional(_ name: String) -> Bool { !required.contains(name) }

    private func usage(of name: String) -> String {
        let text = "\(name)=\(properties[name]?.brief ?? "value")"
        return isOptional(name) ? "[\(text)]" : text
    }

    /// What a value must look like.
    private var brief: String {
        if let allowed { return allowed.map(\.brief).joined(separator: "|") }
        switch type {
        case .array: return "[\(items?.brief ?? "value"),…]"
        case .object:
            let members = properties.sorted { $0.key < $1.key }
            return "{\(members.map { "\($0.key):\($0.value.brief)" }.joined(separator: ","))}"
        case .boolean: return "true|false"
        case .integer, .number:
            return ([range] + presets.map(\.name)).joined(separator: "|")
        case .string: return "text"
        case .null, nil: return "value"
        }
    }

    private var range: String {
        switch (minimum, maximum) {
        case (let low?, let high?): "\(JSONValue.number(low).brief)…\(JSONValue.number(high).brief)"
        case (let low?, nil): "≥\(JSONValue.number(low).brief)"
        case (nil, let high?): "≤\(JSONValue.number(high).brief)"
        case (nil, nil): type == .integer ? "integer" : "number"
        }
    }
}
