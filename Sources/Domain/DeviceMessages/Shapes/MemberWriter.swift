/// Writes the members of one object by their fields, in the order of the calls.
struct MemberWriter: ~Copyable {
    private var json: JSONWriter

    private init(_ json: JSONWriter) { self.json = json }

    /// The bytes of a payload of version 1.
    /// - Parameter capacity: how many it has at most, mostly.
    static func payload(
        reserving capacity: Int = 512, _ body: (inout MemberWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(reserving: capacity)
        write(into: &json) { writer in
            writer.put(Field.version, 1)
            body(&writer)
        }
        return json.bytes
    }

    /// The bytes of a payload whose first members, with the brace before them, were written already.
    static func payload(
        goingOnAfter members: [UInt8], _ body: (inout MemberWriter) -> Void
    ) -> [UInt8] {
        var writer = MemberWriter(JSONWriter(goingOnAfter: members, reserving: 512))
        body(&writer)
        writer.json.endObject()
        return writer.json.bytes
    }

    /// Writes an object within another value.
    static func write(into json: inout JSONWriter, _ body: (inout MemberWriter) -> Void) {
        json.writeObject { json in
            var writer = MemberWriter(json)
            json = JSONWriter()
            body(&writer)
            json = writer.json
        }
    }

    mutating func put<Value>(_ field: Field<Value>, _ value: Value) {
        json.writeName(field.member.name)
        field.encode(value, &json)
    }

    /// Writes a member whose value `write` writes.
    mutating func put<Value>(_ field: Field<Value>, writing write: (inout JSONWriter) -> Void) {
        json.writeName(field.member.name)
        write(&json)
    }

    mutating func putIfPresent<Value>(_ field: Field<Value>, _ value: Value?) {
        if let value { put(field, value) }
    }
}
