import DeviceDomain

// The entries of a thing model, as TSL writes them: limits are texts, and the values of an enumeration have numbers.
extension AlinkProduct {
    static func property(_ signal: Signal, setBy setting: Setting?) -> JSONValue {
        let schema = setting.flatMap { $0.command.arguments?.properties[$0.argument] }
        return [
            "identifier": .string(signal.rawValue), "name": .string(signal.rawValue),
            "accessMode": setting == nil ? "r" : "rw", "required": false,
            "dataType": schema.map(dataType) ?? dataType(of: signal),
        ]
    }

    static func service(_ command: CommandSpecification) -> JSONValue {
        let identifier = command.name.rawValue.camelCase
        let schema = command.arguments ?? .nothing
        let inputs = schema.properties.sorted { $0.key < $1.key }.map {
            name, argument -> JSONValue in
            [
                "identifier": .string(name), "name": .string(name),
                "dataType": dataType(argument),
                "required": .boolean(schema.required.contains(name)),
            ]
        }
        return [
            "identifier": .string(identifier), "name": .string(identifier), "required": false,
            "callType": "async", "method": .string("thing.service.\(identifier)"),
            "inputData": .array(inputs), "outputData": [],
        ]
    }

    static func event(_ name: EventName) -> JSONValue {
        let identifier = name.text.camelCase
        return [
            "identifier": .string(identifier), "name": .string(identifier),
            "type": name == .fault ? "error" : "info", "required": false,
            "method": .string("thing.event.\(identifier).post"),
            "outputData": [
                [
                    "identifier": "detail", "name": "detail",
                    "dataType": ["type": "text", "specs": ["length": "2048"]],
                ]
            ],
        ]
    }

    /// The type of what a signal reports.
    private static func dataType(of signal: Signal) -> JSONValue {
        switch signal {
        case .isCharging, .inWater, .gridConnected: dataType(ArgumentSchema(type: .boolean))
        case .activity, .error, .program, .mode, .fanSpeed, .powerLevel:
            ["type": "text", "specs": ["length": "64"]]
        case .alarms: dataType(.array(of: ArgumentSchema(type: .string)))
        default:
            [
                "type": "double",
                "specs": [
                    "min": "-1000000000", "max": "1000000000", "step": "0.001",
                    "unit": .string(signal.unit?.symbol ?? ""),
                ],
            ]
        }
    }

    /// The type of an argument.
    private static func dataType(_ schema: ArgumentSchema) -> JSONValue {
        if let texts = schema.allowed?.compactMap(\.string), !texts.isEmpty {
            let named = texts.enumerated().map { ("\($0.offset)", JSONValue.string($0.element)) }
            return ["type": "enum", "specs": .object(JSONObject(uniqueKeysWithValues: named))]
        }
        switch schema.type {
        case .boolean: return ["type": "bool", "specs": ["0": "false", "1": "true"]]
        case .integer: return ["type": "int", "specs": limits(schema, step: "1")]
        case .number: return ["type": "double", "specs": limits(schema, step: "0.001")]
        case .array:
            let item = dataType(schema.items ?? ArgumentSchema(type: .string))
            return ["type": "array", "specs": ["size": "64", "item": item]]
        case .string, .object, .null, nil:
            return ["type": "text", "specs": ["length": "2048"]]
        }
    }

    private static func limits(_ schema: ArgumentSchema, step: String) -> JSONValue {
        func text(_ number: Double?, _ standard: Int) -> JSONValue {
            let number = number ?? Double(standard)
            return .string(JSONValue.number(number).integer.map(String.init) ?? "\(number)")
        }
        return [
            "min": text(schema.minimum, -1_000_000), "max": text(schema.maximum, 1_000_000),
            "step": .string(step),
        ]
    }
}
