internal import DeviceDomain

/// Reads the members of one object by their fields; unknown members are ignored.
struct MemberReader {
    private let members: [JSONMember]

    init(_ members: [JSONMember]) { self.members = members }

    init(_ object: JSONObject) {
        members = object.map { JSONMember(name: $0.key, value: $0.value) }
    }

    /// Reads a payload of version 1.
    /// - Throws: ``PayloadError`` if it is no JSON object, holds a duplicate or infinite number
    ///   anywhere, or is of another version.
    init(payload: [UInt8]) throws(PayloadError) {
        let document = try JSONDocument(payload)
        if let defect = document.defect { throw defect }
        members = document.members
        try requireVersion()
    }

    func requireVersion() throws(PayloadError) {
        let version = try require(Field.version)
        guard version == 1 else {
            throw PayloadError(
                code: .unsupportedVersion, path: "v",
                message: "version \(version) of the protocol is not supported, only 1 is")
        }
    }

    /// How often a member is there.
    func count(of name: String) -> Int { members.count { $0.name == name } }

    /// The value of a member that must be there.
    func require<Value>(_ field: Field<Value>) throws(PayloadError) -> Value {
        guard let value = try optional(field) else {
            throw PayloadError(
                code: .missingMember, path: field.member.name, message: "is missing")
        }
        return value
    }

    /// The value of a member, if it is there.
    func optional<Value>(_ field: Field<Value>) throws(PayloadError) -> Value? {
        let name = field.member.name
        guard let member = members.first(where: { $0.name == name }) else { return nil }
        do {
            return try field.decode(member.value)
        } catch {
            throw error.inside(name)
        }
    }
}
