/// A value does not fit its schema: where, and why.
public struct ArgumentViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path to the value, such as `rooms[2]`; empty for the arguments as a whole.
    public let path: String
    /// What is wrong with it.
    public let reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    public var description: String { path.isEmpty ? reason : "argument \(path) \(reason)" }
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
        try check(.object(arguments), at: "")
    }

    private func check(_ value: JSONValue, at path: String) throws(ArgumentViolation) {
        try checkType(of: value, at: path)
        if let allowed, !allowed.contains(value) {
            let list = allowed.map(\.brief).joined(separator: ", ")
            throw ArgumentViolation(path: path, reason: "must be one of \(list)")
        }
        switch value {
        case .number(let number): try checkRange(of: number, at: path)
        case .array(let values): try checkItems(values, at: path)
        case .object(let members): try checkMembers(members, at: path)
        case .null, .boolean, .string: break
        }
    }

    private func checkType(of value: JSONValue, at path: String) throws(ArgumentViolation) {
        guard let type, !type.matches(value) else { return }
        throw ArgumentViolation(
            path: path, reason: "must be of type \(type.rawValue), not \(value.typeName)")
    }

    private func checkRange(of number: Double, at path: String) throws(ArgumentViolation) {
        if let minimum, number < minimum {
            throw ArgumentViolation(
                path: path, reason: "must be at least \(JSONValue.number(minimum).brief)")
        }
        if let maximum, number > maximum {
            throw ArgumentViolation(
                path: path, reason: "must be at most \(JSONValue.number(maximum).brief)")
        }
    }

    private func checkItems(_ values: [JSONValue], at path: String) throws(ArgumentViolation) {
        guard let items else { return }
        for (index, value) in values.enumerated() {
            try items.check(value, at: "\(path)[\(index)]")
        }
    }

    private func checkMembers(_ members: JSONObject, at path: String) throws(ArgumentViolation) {
        for name in required where members[name] == nil {
            throw ArgumentViolation(path: path.appending(member: name), reason: "is missing")
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let memberPath = path.appending(member: name)
            if let schema = properties[name] {
                try schema.check(value, at: memberPath)
            } else if !allowsAdditionalProperties {
                throw ArgumentViolation(path: memberPath, reason: unknownMemberReason)
            }
        }
    }

    private var unknownMemberReason: String {
        let known = properties.keys.sorted().joined(separator: ", ")
        return known.isEmpty
            ? "is unknown; no arguments are taken" : "is unknown; the arguments are \(known)"
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
    /// The name of the value's JSON type.
    var typeName: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The value as it reads in an error message.
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
