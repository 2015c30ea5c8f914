/// A keychain could not do what it was asked. It contains nothing of a secret.
public struct KeychainError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. An open set.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A name that no secret can have.
        public static let invalidName = Code(rawValue: "invalid-name")
        /// A secret that no backend can hold.
        public static let invalidSecret = Code(rawValue: "invalid-secret")
        /// `HOMEPORT_KEYCHAIN_KEY` cannot be read.
        public static let invalidKeySource = Code(rawValue: "invalid-key-source")
        /// There is no secret of that name, or no keychain.
        public static let notFound = Code(rawValue: "not-found")
        /// The contents are not as they were written.
        public static let damaged = Code(rawValue: "damaged")
        /// Somebody else could read or replace the file.
        public static let unsafe = Code(rawValue: "unsafe")
        /// The master key or passphrase does not fit, or is missing.
        public static let wrongKey = Code(rawValue: "wrong-key")
        /// The backend cannot be used here, or cannot do that.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The system refused; see ``KeychainError/message``.
        public static let system = Code(rawValue: "system")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, why, and what to do.
    public let message: String
    /// Where in the source it was made.
    public let origin: String

    public init(
        _ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        origin = "\(file):\(line)"
    }

    public var description: String { message }
}
