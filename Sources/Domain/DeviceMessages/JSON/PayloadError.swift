/// A payload violates the protocol: what is wrong, and where.
public struct PayloadError: Error, Hashable, Sendable {
    /// What is wrong with a payload.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// More bytes than a payload may have.
        case tooLarge
        /// Objects and arrays are nested too deeply.
        case tooDeep
        /// Bytes or escapes that are no Unicode text.
        case notUTF8
        /// Not JSON (RFC 8259).
        case malformed
        /// One object has two members of one name.
        case duplicateMember
        /// A number beyond the range of a double.
        case notFinite
        /// A required member is absent.
        case missingMember
        /// A member has the wrong JSON type.
        case wrongType
        /// A value of the right type that is not allowed.
        case outOfRange
        /// A text that its identifier's grammar does not allow.
        case badIdentifier
        /// Another version of the protocol than 1.
        case unsupportedVersion
    }

    /// What is wrong.
    public let code: Code
    /// The path to the invalid value, such as `arguments.rooms[2]`; empty for the payload as a whole.
    public let path: String
    /// What is wrong, for people.
    public let message: String
    /// The byte offset of the error, if the text is not valid JSON.
    public let offset: Int?

    public init(code: Code, path: String = "", message: String, offset: Int? = nil) {
        self.code = code
        self.path = path
        self.message = message
        self.offset = offset
    }
}

extension PayloadError: CustomStringConvertible {
    public var description: String {
        let place = path.isEmpty ? message : "\(path): \(message)"
        return offset.map { "\(place) (byte \($0))" } ?? place
    }
}

extension PayloadError {
    /// The same error, seen from an object that holds the value as the member `name`.
    func inside(_ name: String) -> PayloadError {
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return PayloadError(
            code: code, path: name + separator + path, message: message, offset: offset)
    }
}
