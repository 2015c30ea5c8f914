internal import DeviceDomain

/// A member of a payload together with how its value is read and written.
struct Field<Value>: Sendable {
    let member: PayloadMember
    /// Reads the value; the path of what it throws begins below this member.
    let decode: @Sendable (JSONValue) throws(PayloadError) -> Value
    let encode: @Sendable (Value, inout JSONWriter) -> Void

    init(
        member: PayloadMember,
        decode: @escaping @Sendable (JSONValue) throws(PayloadError) -> Value,
        encode: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) {
        self.member = member
        self.decode = decode
        self.encode = encode
    }

    /// A field whose value either converts as a whole or is refused with the message of its type.
    init(
        _ name: String, _ type: PayloadType, _ documentation: String,
        read: @escaping @Sendable (JSONValue) -> Value?,
        encode: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) {
        self.init(
            member: PayloadMember(name: name, type: type, documentation: documentation),
            decode: { json throws(PayloadError) in
                guard let value = read(json) else { throw type.refusal(of: json) }
                return value
            },
            encode: encode)
    }

    /// The same field, which may be absent.
    var optional: Field {
        Field(
            member: PayloadMember(
                name: member.name, type: member.type, isRequired: false,
                documentation: member.documentation),
            decode: decode, encode: encode)
    }

    /// The same field, which must be there but may be `null`.
    var nullable: Field<Value?> {
        Field<Value?>(
            member: PayloadMember(
                name: member.name, type: member.type, isNullable: true,
                documentation: member.documentation),
            decode: { [decode] json throws(PayloadError) in
                json.isNull ? nil : try decode(json)
            },
            encode: { [encode] value, json in
                if let value { encode(value, &json) } else { json.writeNull() }
            })
    }
}
