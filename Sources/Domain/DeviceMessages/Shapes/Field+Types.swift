internal import DeviceDomain

extension Field where Value == Int {
    /// An integer in a range.
    static func integer(
        _ name: String, within range: ClosedRange<Int> = JSONValue.integers,
        _ documentation: String
    ) -> Field {
        Field(
            name, .integer(range), documentation,
            read: { $0.integer.flatMap { range.contains($0) ? $0 : nil } },
            encode: { $1.write($0) })
    }

    /// An integer that is not negative.
    static func count(_ name: String, from least: Int = 0, _ documentation: String) -> Field {
        integer(name, within: least...JSONValue.largestInteger, documentation)
    }

    /// The version of the protocol.
    static let version = Field(
        "v", .version, "The version of the protocol.",
        read: \.integer, encode: { $1.write($0) })
}

extension Field where Value == Timestamp {
    /// Milliseconds since the Unix epoch.
    static func time(_ name: String, _ documentation: String) -> Field {
        Field(
            name, .integer(JSONValue.integers),
            documentation + " Milliseconds since the Unix epoch, UTC.",
            read: { $0.integer.map(Timestamp.init) }, encode: { $1.write($0.milliseconds) })
    }
}

extension Field where Value == Double {
    /// A finite number.
    static func number(_ name: String, _ documentation: String) -> Field {
        Field(name, .number, documentation, read: \.number, encode: { $1.write($0) })
    }
}

extension Field where Value == Bool {
    /// A truth value.
    static func flag(_ name: String, _ documentation: String) -> Field {
        Field(name, .boolean, documentation, read: \.boolean, encode: { $1.write($0) })
    }
}

extension Field where Value == String {
    /// Text of at most so many characters (Unicode scalars, as JSON Schema counts them).
    static func text(
        _ name: String, maximumLength: Int? = nil, _ documentation: String
    ) -> Field {
        Field(
            name, .text(maximumLength: maximumLength), documentation,
            read: { json in
                json.string.flatMap {
                    $0.unicodeScalars.count <= maximumLength ?? .max ? $0 : nil
                }
            },
            encode: { $1.write($0) })
    }
}

extension Field where Value == ClaimNonce {
    /// What identifies a claim.
    static func claimNonce(_ name: String, _ documentation: String) -> Field {
        Field(
            name, .text(maximumLength: Value.maximumLength), documentation,
            read: { $0.string.flatMap(Value.init(rawValue:)) }, encode: { $1.write($0.rawValue) })
    }
}

extension Field where Value == JSONObject {
    /// An object with any members.
    static func object(_ name: String, _ documentation: String) -> Field {
        Field(name, .object, documentation, read: \.object, encode: { $1.write($0) })
    }
}

extension Field {
    /// An identifier of a home's vocabulary.
    static func identifier<Role>(
        _ name: String, _ documentation: String
    ) -> Field where Value == Identifier<Role> {
        Field(
            name, .identifier(noun: Role.noun, rule: Role.grammar.rule), documentation,
            read: { $0.string.flatMap(Value.init(rawValue:)) }, encode: { $1.write($0.text) })
    }

    /// A UUID of version 7.
    static func uniqueID<Role>(
        _ name: String, _ documentation: String
    ) -> Field where Value == UniqueID<Role> {
        Field(
            name, .identifier(noun: "UUID version 7 in lower case", rule: Value.rule),
            documentation,
            read: { $0.string.flatMap(Value.init) }, encode: { $1.write($0.text) })
    }

    /// One of the cases of an enumeration.
    static func choice(
        _ name: String, _ documentation: String
    ) -> Field where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
        Field(
            name, .choice(Value.allCases.map(\.rawValue)), documentation,
            read: { $0.string.flatMap(Value.init(rawValue:)) },
            encode: { $1.write($0.rawValue) })
    }

    /// A name from an open set.
    static func openName(
        _ name: String, known: @autoclosure @escaping @Sendable () -> [Value],
        _ documentation: String
    ) -> Field where Value: RawRepresentable & Sendable, Value.RawValue == String {
        Field(
            name, .openName(known: { known().map(\.rawValue) }), documentation,
            read: { $0.string.flatMap(Value.init(rawValue:)) },
            encode: { $1.write($0.rawValue) })
    }
}

extension Field {
    /// The device that speaks.
    static func device() -> Field where Value == DeviceID {
        identifier("device", "The device that speaks.")
    }

    /// The boot of the device that speaks.
    static func boot() -> Field where Value == BootID {
        identifier("boot", "The start of the device that speaks; a reconnect keeps it.")
    }
}
