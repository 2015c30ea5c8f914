package import DeviceDomain

extension ScenarioShape {
    /// The JSON Schema of a scenario, draft 2020-12, for editors of YAML.
    package static var schema: JSONObject {
        var schema = scenario.memberSchema
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["title"] = "A scenario of homeport-sim"
        return schema
    }

    fileprivate var memberSchema: JSONObject {
        var properties: JSONObject = [:]
        for member in members {
            var schema = member.form.schema
            schema["description"] = .string(member.documentation)
            properties[member.name] = .object(schema)
        }
        var schema: JSONObject = [
            "type": "object", "additionalProperties": false, "properties": .object(properties),
        ]
        let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return schema
    }
}

extension ScenarioShape.Form {
    /// What a duration looks like.
    private static let timePattern = "^([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$"

    fileprivate var schema: JSONObject {
        switch self {
        case .text: ["type": "string", "minLength": 1]
        case .choice(let texts): ["enum": .array(texts.map(JSONValue.string))]
        case .time: ["type": "string", "minLength": 2, "pattern": .string(Self.timePattern)]
        case .instant: ["type": "string"]
        case .truth: ["type": "boolean"]
        case .whole(let range):
            [
                "type": "integer", "minimum": .integer(range.lowerBound),
                "maximum": .integer(range.upperBound),
            ]
        case .number(let range):
            [
                "type": "number", "minimum": .number(range.lowerBound),
                "maximum": .number(range.upperBound),
            ]
        case .speed:
            [
                "anyOf": [
                    ["enum": ["max"]], ["type": "number", "minimum": 0.01, "maximum": 1000],
                ]
            ]
        case .parameters:
            [
                "type": "object",
                "additionalProperties": [
                    "anyOf": [
                        ["type": "number"],
                        [
                            "type": "array", "items": ["type": "number"], "minItems": 2,
                            "maxItems": 2,
                        ],
                    ]
                ],
            ]
        case .values: ["type": "object"]
        case .members(let shape): shape.memberSchema
        case .list(let shape): ["type": "array", "items": .object(shape.memberSchema)]
        case .named(let shape):
            ["type": "object", "additionalProperties": .object(shape.memberSchema)]
        }
    }
}
