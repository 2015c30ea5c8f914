internal import DeviceDomain

extension ThingType {
    /// Structures and lists within each other at most.
    private static let deepest = 8

    /// Reads the member `dataType` of a thing model.
    /// - Throws: ``ThingModelError`` for an unknown type, or specs that cannot be used.
    init(_ value: JSONValue?, depth: Int = 0) throws(ThingModelError) {
        guard let value = value?.object, let type = value["type"]?.string else {
            throw ThingModelError("dataType has no type")
        }
        guard depth <= Self.deepest else {
            throw ThingModelError("its type is nested deeper than \(Self.deepest) levels")
        }
        let specs = value["specs"]?.object ?? [:]
        switch type.lowercased() {
        case "bool": self = .boolean
        case "enum": self = .choice(try Self.choices(specs))
        case "int", "int32", "integer", "long", "int64":
            self = .integer(minimum: specs.number("min"), maximum: specs.number("max"))
        case "float", "double":
            self = .real(
                minimum: specs.number("min"), maximum: specs.number("max"),
                step: max(0, specs.number("step") ?? 0))
        case "text", "string": self = .text(longest: specs.count("length"))
        case "date": self = .date
        case "struct":
            self = .structure(try ThingField.fields(value["specs"], depth: depth + 1))
        case "array":
            self = .list(
                of: try ThingType(specs["item"], depth: depth + 1), most: specs.count("size"))
        default: throw ThingModelError("its type \(type.brief) is not known")
        }
    }

    private static func choices(_ specs: JSONObject) throws(ThingModelError) -> [ThingChoice] {
        let named = specs.compactMap { key, value in Int(key).map { ($0, value.string ?? "") } }
        guard !named.isEmpty else { throw ThingModelError("its enumeration has no values") }
        let uses = Dictionary(grouping: named, by: \.1).mapValues(\.count)
        return named.sorted { $0.0 < $1.0 }.map { number, text in
            let isUsable = !text.isEmpty && uses[text] == 1
            return ThingChoice(number: number, text: isUsable ? text : "\(number)")
        }
    }
}

extension ThingField {
    /// Reads a list of fields: the specs of a structure, `inputData` or `outputData`. Identifiers alone, as the
    /// service `get` has them, are no fields.
    /// - Throws: ``ThingModelError`` if one of them cannot be read.
    static func fields(_ value: JSONValue?, depth: Int = 0) throws(ThingModelError) -> [ThingField]
    {
        var fields: [ThingField] = []
        for entry in value?.array ?? [] {
            guard let entry = entry.object else { continue }
            guard let identifier = entry.identifier else {
                throw ThingModelError("one of its fields has no identifier")
            }
            do {
                fields.append(
                    ThingField(
                        identifier, name: entry["name"]?.string ?? "",
                        try ThingType(entry["dataType"], depth: depth),
                        isRequired: entry["required"]?.boolean ?? true))
            } catch {
                throw ThingModelError("\(identifier.brief): \(error.message)")
            }
        }
        return fields
    }
}

extension JSONObject {
    /// The member `identifier`, unless it is empty.
    var identifier: String? {
        guard let text = self["identifier"]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// A limit: the platform writes numbers as texts.
    fileprivate func number(_ name: String) -> Double? {
        let value = self[name]
        let number = value?.number ?? value?.string.flatMap(Double.init)
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    fileprivate func count(_ name: String) -> Int? {
        number(name).flatMap { $0 > 0 ? Int(exactly: $0) : nil }
    }
}
