extension ArgumentSchema {
    /// A value without what the schema marks as `writeOnly`: a text says that it was there.
    public func redacting(_ value: JSONValue) -> JSONValue {
        if isWriteOnly { return "[redacted]" }
        switch value {
        case .object(let members): return .object(redacting(members))
        case .array(let values):
            return .array(values.map { items?.redacting($0) ?? $0 })
        case .null, .boolean, .number, .string: return value
        }
    }

    /// The members of an object without what the schema marks as `writeOnly`.
    public func redacting(_ members: JSONObject) -> JSONObject {
        var shown = members
        for (name, value) in members { shown[name] = properties[name]?.redacting(value) ?? value }
        return shown
    }
}
