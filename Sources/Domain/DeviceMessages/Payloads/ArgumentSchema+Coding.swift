internal import DeviceDomain

extension Field where Value == ArgumentSchema {
    /// A JSON Schema of which the keywords of PROTOCOL section 2 are applied.
    static func schema(_ name: String, _ documentation: String) -> Field {
        Field(
            member: PayloadMember(name: name, type: .schema, documentation: documentation),
            decode: { json throws(PayloadError) in try ArgumentSchema(json) },
            encode: { $0.write(into: &$1) })
    }
}

extension ArgumentSchema {
    /// Reads a schema. Unknown keywords are ignored, and so is what the subset cannot say: a list
    /// of types allows every type, a schema for additional members allows them all.
    fileprivate init(_ json: JSONValue) throws(PayloadError) {
        switch json {
        case .boolean(let allowsEverything):
            self.init(allowed: allowsEverything ? nil : [])
        case .object(let keywords):
            self.init()
            try read(keywords)
        default: throw PayloadType.schema.refusal(of: json)
        }
    }

    private mutating func read(_ keywords: JSONObject) throws(PayloadError) {
        let reader = MemberReader(keywords)
        type = try reader.optional(Keywords.type) ?? nil
        allowed = try reader.optional(Keywords.enum)
        minimum = try reader.optional(Keywords.minimum)
        maximum = try reader.optional(Keywords.maximum)
        presets = try reader.optional(Keywords.presets) ?? []
        required = try reader.optional(Keywords.required) ?? []
        properties = try reader.optional(Keywords.properties) ?? [:]
        allowsAdditionalProperties =
            try reader.optional(Keywords.additionalProperties) ?? true
        items = try reader.optional(Field.schema("items", ""))
        isWriteOnly = try reader.optional(Keywords.writeOnly) ?? false
    }

    fileprivate func write(into json: inout JSONWriter) {
        MemberWriter.write(into: &json) { writer in
            if let type { writer.put(Keywords.type, type) }
            writer.putIfPresent(Keywords.enum, allowed)
            writer.putIfPresent(Keywords.minimum, minimum)
            writer.putIfPresent(Keywords.maximum, maximum)
            if !presets.isEmpty { writer.put(Keywords.presets, presets) }
            if !required.isEmpty { writer.put(Keywords.required, required) }
            if let items { writer.put(Field.schema("items", ""), items) }
            if !properties.isEmpty { writer.put(Keywords.properties, properties) }
            if !allowsAdditionalProperties { writer.put(Keywords.additionalProperties, false) }
            if isWriteOnly { writer.put(Keywords.writeOnly, true) }
        }
    }
}

/// The keywords of JSON Schema that are applied.
private enum Keywords {
    static let type = Field<ArgumentSchema.ValueType?>(
        "type", .choice(ArgumentSchema.ValueType.allCases.map(\.rawValue)), "",
        read: { json in
            if json.array != nil { return .some(nil) }
            guard let word = json.string, let type = ArgumentSchema.ValueType(rawValue: word)
            else { return nil }
            return .some(type)
        },
        encode: { type, json in if let type { json.write(type.rawValue) } })
    static let `enum` = Field<[JSONValue]>(
        "enum", .array(of: .object), "", read: \.array,
        encode: { values, json in json.writeArray(values) { $0.write($1) } })
    static let minimum = Field.number("minimum", "")
    static let maximum = Field.number("maximum", "")
    /// A keyword of Homeport's own: named values that are allowed beside the others. In any other form it
    /// is a keyword of somebody else, and ignored.
    static let presets = Field<[ArgumentSchema.Preset]>(
        "presets", .array(of: .object), "",
        read: { json in
            (json.array ?? []).compactMap { preset in
                guard let name = preset.object?["name"]?.string, let value = preset.object?["value"]
                else { return nil }
                return ArgumentSchema.Preset(name: name, value: value)
            }
        },
        encode: { presets, json in
            json.writeArray(presets) { json, preset in
                json.write(.object(["name": .string(preset.name), "value": preset.value]))
            }
        })
    static let required = Field.array(of: Field<String>.text("required", ""))
    static let additionalProperties = Field<Bool>(
        "additionalProperties", .boolean, "",
        read: { json in json.boolean ?? (json.object == nil ? nil : true) },
        encode: { $1.write($0) })
    static let writeOnly = Field<Bool>(
        "writeOnly", .boolean, "", read: \.boolean, encode: { $1.write($0) })
    static let properties = Field<[String: ArgumentSchema]>(
        member: PayloadMember(name: "properties", type: .object, documentation: ""),
        decode: { json throws(PayloadError) in
            guard let members = json.object else { throw PayloadType.object.refusal(of: json) }
            return try schemas(members)
        },
        encode: { schemas, json in
            json.writeObject { json in
                for (name, schema) in schemas.sorted(by: { $0.key < $1.key }) {
                    json.writeName(name)
                    schema.write(into: &json)
                }
            }
        })

    private static func schemas(
        _ members: JSONObject
    ) throws(PayloadError) -> [String: ArgumentSchema] {
        var schemas: [String: ArgumentSchema] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            do {
                schemas[name] = try ArgumentSchema(value)
            } catch {
                throw error.inside(name)
            }
        }
        return schemas
    }
}
