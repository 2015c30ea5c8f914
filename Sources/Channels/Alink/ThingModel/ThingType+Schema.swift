package import DeviceDomain

extension ThingType {
    /// What an argument of this type must look like.
    package var schema: ArgumentSchema {
        switch self {
        case .boolean: ArgumentSchema(type: .boolean)
        case .choice(let choices): .oneOf(choices.map(\.text))
        case .integer(let minimum, let maximum):
            ArgumentSchema(type: .integer, minimum: minimum, maximum: maximum)
        case .real(let minimum, let maximum, _):
            ArgumentSchema(type: .number, minimum: minimum, maximum: maximum)
        case .text(let longest): ArgumentSchema(type: .string, longest: longest)
        case .date: ArgumentSchema(type: .string)
        case .structure(let fields): .fields(fields)
        case .list(let item, let most):
            ArgumentSchema(type: .array, longest: most, items: item.schema)
        }
    }
}

extension ArgumentSchema {
    /// An object with these fields.
    static func fields(_ fields: [ThingField]) -> ArgumentSchema {
        .members(
            Dictionary(fields.map { ($0.identifier, $0.type.schema) }) { first, _ in first },
            optional: Set(fields.lazy.filter { !$0.isRequired }.map(\.identifier)))
    }
}
