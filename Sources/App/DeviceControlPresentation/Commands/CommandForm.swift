public import DeviceDomain

/// The form of a command, made from the schema of its arguments, with what was entered into it. A device
/// of an unknown kind has forms, too.
public struct CommandForm: Hashable, Sendable {
    /// What the device declares about the command.
    public let specification: CommandSpecification
    /// The fields; those that are needed come first.
    public private(set) var fields: [CommandField]
    /// What is wrong with all of it; empty for nothing.
    public private(set) var problem = ""

    /// The name of the field for arguments of which nothing is known.
    public static let anything = "*"

    /// - Parameter rooms: the ids of the device's floor plan, which a device may leave out of its schema.
    public init(_ specification: CommandSpecification, rooms: [Int]? = nil) {
        self.specification = specification
        guard let schema = specification.arguments else {
            // A device of somebody else that gives only names: its arguments are written as JSON.
            fields = [CommandField(name: Self.anything, kind: .json, isRequired: false)]
            return
        }
        fields = schema.properties.map { name, property in
            CommandField(
                name: name, kind: Self.kind(of: name, property, rooms),
                isRequired: schema.required.contains(name), presets: property.presets)
        }
        .sorted { ($0.isRequired ? 0 : 1, $0.name) < ($1.isRequired ? 0 : 1, $1.name) }
    }

    private static func kind(
        of name: String, _ schema: ArgumentSchema, _ rooms: [Int]?
    ) -> CommandField.Kind {
        let kind = CommandField.Kind(schema)
        guard name == "rooms", case .numbers = kind, let rooms else { return kind }
        return .choices(rooms.map(JSONValue.integer))
    }

    /// Whether it can be sent without entering anything.
    public var isQuick: Bool { fields.allSatisfy { !$0.isRequired } }

    /// Whether something is wrong with what was entered.
    public var hasProblem: Bool { !problem.isEmpty || fields.contains { $0.problem != nil } }

    /// Something was entered into a field; a name that is none is ignored.
    public mutating func fieldChanged(_ name: String, to text: String) {
        guard let index = fields.firstIndex(where: { $0.name == name }) else { return }
        fields[index].text = text
        fields[index].problem = nil
        problem = ""
    }

    /// Enters arguments as they were given before; what has no field here is left out.
    mutating func fill(with arguments: JSONObject) {
        for field in fields {
            let value = field.name == Self.anything ? .object(arguments) : arguments[field.name]
            if let value { fieldChanged(field.name, to: field.text(of: value)) }
        }
    }

    /// The arguments as they were entered; `nil` where something is wrong, which the fields and
    /// ``problem`` then say.
    public mutating func arguments() -> JSONObject? {
        problem = ""
        var arguments: JSONObject = [:]
        for index in fields.indices {
            fields[index].problem = nil
            do throws(CommandField.Problem) {
                guard let value = try fields[index].value() else { continue }
                if fields[index].name == Self.anything {
                    arguments = value.object ?? [:]
                } else {
                    arguments[fields[index].name] = value
                }
            } catch {
                fields[index].problem = error
            }
        }
        guard fields.allSatisfy({ $0.problem == nil }) else { return nil }
        return isAllowed(arguments) ? arguments : nil
    }

    /// The device's own schema has the last word.
    private mutating func isAllowed(_ arguments: JSONObject) -> Bool {
        guard let schema = specification.arguments else { return true }
        do {
            try schema.check(arguments)
            return true
        } catch {
            let name = String(error.path.prefix { $0 != "." && $0 != "[" })
            if let index = fields.firstIndex(where: { $0.name == name }) {
                fields[index].problem = .refused(error.reason)
            } else {
                problem = error.description
            }
            return false
        }
    }
}
