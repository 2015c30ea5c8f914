import DeviceDomain
import DeviceMessages

extension PayloadShape {
    /// The shape as a JSON Schema document.
    var schemaDocument: JSONValue {
        var members = schema
        members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        members["$id"] = .string(schemaFileName)
        return .object(members)
    }

    /// The name of the file that the schema is written to.
    var schemaFileName: String { "\(name).schema.json" }

    /// The shape as a JSON Schema. Unknown members are allowed, as PROTOCOL section 2 requires.
    fileprivate var schema: JSONObject {
        let properties = members.map { ($0.name, JSONValue.object($0.schema)) }
        return [
            "title": .string(name), "description": .string(documentation), "type": "object",
            "required": .array(members.filter(\.isRequired).map { .string($0.name) }),
            "properties": .object(JSONObject(uniqueKeysWithValues: properties)),
        ]
    }
}

extension PayloadMember {
    fileprivate var schema: JSONObject {
        var schema = type.schema
        if isNullable { schema = ["anyOf": [.object(schema), ["type": "null"]]] }
        schema["description"] = .string(documentation)
        return schema
    }
}

extension PayloadType {
    fileprivate var schema: JSONObject {
        switch self {
        case .version: ["const": 1]
        case .integer(let range):
            [
                "type": "integer", "minimum": .integer(range.lowerBound),
                "maximum": .integer(range.upperBound),
            ]
        case .number: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .text(nil): ["type": "string"]
        case .text(let length?): ["type": "string", "maxLength": .integer(length)]
        case .identifier(_, let rule): ["type": "string", "pattern": .string("^\(rule)$")]
        case .choice(let texts): ["enum": .array(texts.map(JSONValue.string))]
        case .openName(let known): openName(known())
        case .object: ["type": "object"]
        case .schema: ["type": ["object", "boolean"]]
        case .shape(let shape): shape.schema
        case .array(let item): ["type": "array", "items": .object(item.schema)]
        case .either(let types): ["anyOf": .array(types.map { .object($0.schema) })]
        }
    }

    private func openName(_ known: [String]) -> JSONObject {
        known.isEmpty
            ? ["type": "string"]
            : ["type": "string", "examples": .array(known.map(JSONValue.string))]
    }
}
