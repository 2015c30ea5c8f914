internal import DeviceDomain

extension PayloadType {
    /// The type as it reads in "must be …".
    var phrase: String {
        switch self {
        case .version: "the number 1"
        case .integer(JSONValue.integers): "an integer"
        case .integer(let range) where range.upperBound == JSONValue.largestInteger:
            "an integer of at least \(range.lowerBound)"
        case .integer(let range):
            "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .number: "a number"
        case .boolean: "true or false"
        case .text(nil), .openName: "a string"
        case .text(let length?): "a string of at most \(length) characters"
        case .identifier(let noun, let rule): "a \(noun), a string that matches \(rule)"
        case .choice(let texts): "one of \(texts.joined(separator: ", "))"
        case .object: "an object"
        case .schema: "a JSON Schema"
        case .shape(let shape): "a \(shape.name), an object"
        case .array: "an array"
        case .either(let types): types.map(\.phrase).joined(separator: ", or ")
        }
    }

    /// The error of a value that is not of this type.
    func refusal(of value: JSONValue) -> PayloadError {
        PayloadError(
            code: code(refusing: value), message: "must be \(phrase), not \(value.brief)")
    }

    private func code(refusing value: JSONValue) -> PayloadError.Code {
        switch (self, value) {
        case (.identifier, .string): .badIdentifier
        case (.text, .string), (.choice, .string): .outOfRange
        case (.integer, .number) where value.integer != nil: .outOfRange
        default: .wrongType
        }
    }
}

extension JSONValue {
    /// The integers that the protocol allows: 53 bits.
    static let integers = -largestInteger...largestInteger

    /// The value as it reads in an error.
    fileprivate var brief: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .number(let number): integer.map(String.init) ?? "\(number)"
        case .string(let text): String(text.prefix(80)).debugDescription
        case .array: "an array"
        case .object: "an object"
        }
    }
}
