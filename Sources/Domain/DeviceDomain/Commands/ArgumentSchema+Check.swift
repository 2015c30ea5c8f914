/// A value violates its schema: where, and why.
public struct ArgumentViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path to the value, such as `rooms[2]`; empty for the arguments as a whole.
    public let path: String
    /// What is wrong with it.
    public let reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    public var description: String { path.isEmpty ? reason : "\(path) \(reason)" }

    /// Whether it is about a part of an argument, not about a whole one.
    fileprivate var isWithinArgument: Bool { path.contains { "[.".contains($0) } }
}

extension JSONValue {
    /// A whole number for the argument `name`.
    /// - Throws: ``ArgumentViolation`` if it is out of its range.
    static func integer(
        _ value: Int, in range: ClosedRange<Int>, _ name: String
    ) throws(ArgumentViolation) -> JSONValue {
        guard range.contains(value) else {
            throw ArgumentViolation(
                path: name,
                reason: "must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
        }
        return .integer(value)
    }
}

extension ArgumentSchema {
    /// Checks arguments against this schema.
    /// - Throws: the first ``ArgumentViolation``, members in the order of their names.
    public func check(_ arguments: JSONObject) throws(ArgumentViolation) {
        do {
            try check(.object(arguments), at: "")
        } catch {
            throw error.isWithinArgument ? withExample(error) : error
        }
    }

    /// The violation within an object or a list, with an example of the whole argument, as a user types it.
    private func withExample(_ violation: ArgumentViolation) -> ArgumentViolation {
        let members = violation.path.split { "[.".contains($0) }.map(String.init)
        guard violation.reason.hasPrefix("must be") || violation.reason.hasPrefix("is missing"),
            let name = members.first, let schema = properties[name]
        else { return violation }
        let example = schema.typedExample(of: name, with: members.dropFirst())
        return ArgumentViolation(
            path: violation.path, reason: "\(violation.reason), such as \(example)")
    }

    /// Whether this schema takes a value.
    public func accepts(_ value: JSONValue) -> Bool {
        (try? check(value, at: "")) != nil
    }

    private func check(_ value: JSONValue, at path: String) throws(ArgumentViolation) {
        guard !isPreset(value) else { return }
        if let allowed {
            guard !allowed.contains(value) else { return }
            throw ArgumentViolation(
                path: path, reason: "must be \(expectation)\(suggestion(for: value, of: allowed))")
        }
        if let type, !type.matches(value) { throw mistyped(at: path) }
        switch value {
        case .number(let number): try checkRange(of: number, at: path)
        case .array(let values): try checkItems(values, at: path)
        case .object(let members): try checkMembers(members, at: path)
        case .string(let text): try checkLength(text.utf8.count, "bytes", at: path)
        case .null, .boolean: break
        }
    }

    private func checkLength(
        _ count: Int, _ unit: String, at path: String
    ) throws(ArgumentViolation) {
        guard let longest, count > longest else { return }
        throw ArgumentViolation(
            path: path, reason: "must have at most \(longest) \(unit), not \(count)")
    }

    /// A value of the wrong type: what is expected, with an example where the user types it so.
    private func mistyped(at path: String) -> ArgumentViolation {
        let violation = ArgumentViolation(path: path, reason: "must be \(expectation)")
        guard !path.isEmpty, !violation.isWithinArgument else { return violation }
        return ArgumentViolation(
            path: path, reason: "\(violation.reason), such as \(typedExample(of: path))")
    }

    private func suggestion(for value: JSONValue, of allowed: [JSONValue]) -> String {
        guard let text = value.string else { return "" }
        let names = allowed.compactMap(\.string) + presets.map(\.name)
        return Suggestion.question(about: text, among: names)
    }

    private func checkRange(of number: Double, at path: String) throws(ArgumentViolation) {
        if let minimum, number < minimum {
            throw ArgumentViolation(
                path: path,
                reason: "must be at least \(JSONValue.number(minimum).brief)\(orPreset), "
                    + "not \(JSONValue.number(number).brief)")
        }
        if let maximum, number > maximum {
            throw ArgumentViolation(
                path: path,
                reason: "must be at most \(JSONValue.number(maximum).brief)\(orPreset), "
                    + "not \(JSONValue.number(number).brief)")
        }
    }

    private func checkItems(_ values: [JSONValue], at path: String) throws(ArgumentViolation) {
        try checkLength(values.count, "items", at: path)
        guard let items else { return }
        for (index, value) in values.enumerated() {
            try items.check(value, at: "\(path)[\(index)]")
        }
    }

    private func checkMembers(_ members: JSONObject, at path: String) throws(ArgumentViolation) {
        // Unknown names first: a mistyped name is also missing, but the typing error is the useful message.
        if !allowsAdditionalProperties {
            for name in members.keys.sorted() where properties[name] == nil {
                throw ArgumentViolation(
                    path: path.appending(member: name), reason: reasonForUnknown(name))
            }
        }
        for name in required where members[name] == nil {
            throw missing(name, at: path)
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            try properties[name]?.check(value, at: path.appending(member: name))
        }
    }

    private func missing(_ name: String, at path: String) -> ArgumentViolation {
        let schema = properties[name] ?? ArgumentSchema()
        let example = path.isEmpty ? ", such as \(schema.typedExample(of: name))" : ""
        return ArgumentViolation(
            path: path.appending(member: name),
            reason: "is missing: give \(schema.expectation)\(example)")
    }

    private func reasonForUnknown(_ name: String) -> String {
        let known = properties.keys.sorted()
        guard !known.isEmpty else { return "is unknown; no arguments are taken" }
        let question = Suggestion.question(about: name, among: known)
        return "is unknown"
            + (question.isEmpty ? "; the arguments are \(known.joined(separator: ", "))" : question)
    }
}

extension ArgumentSchema.ValueType {
    func matches(_ value: JSONValue) -> Bool {
        switch self {
        case .object: value.object != nil
        case .array: value.array != nil
        case .string: value.string != nil
        case .number: value.number != nil
        case .integer: value.integer != nil
        case .boolean: value.boolean != nil
        case .null: value.isNull
        }
    }
}

extension JSONValue {
    /// The value as text for an error message.
    var brief: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let value): integer.map(String.init) ?? "\(value)"
        case .string(let value): value
        case .array: "[…]"
        case .object: "{…}"
        }
    }
}

extension String {
    fileprivate func appending(member name: String) -> String {
        isEmpty ? name : "\(self).\(name)"
    }
}
