extension ArgumentSchema {
    /// Whether a value is one of the presets, or the name of one.
    func isPreset(_ value: JSONValue) -> Bool {
        presets.contains { $0.value == value || $0.name == value.string }
    }

    /// The value with the names of presets replaced by their values, also within objects and arrays.
    public func replacingPresetNames(in value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): presets.first { $0.name == text }?.value ?? value
        case .object(let members):
            .object(
                members.reduce(into: members) { replaced, member in
                    let schema = properties[member.key]
                    replaced[member.key] =
                        schema?.replacingPresetNames(in: member.value) ?? member.value
                })
        case .array(let values):
            .array(values.map { items?.replacingPresetNames(in: $0) ?? $0 })
        case .null, .boolean, .number: value
        }
    }
}
