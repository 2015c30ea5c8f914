internal import DeviceDomain
public import Keychain

/// An identity could not be issued, changed or read. It contains nothing of a key.
public struct IdentityError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. An open set.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A certificate request that cannot be granted.
        public static let invalidRequest = Code(rawValue: "invalid-request")
        /// There is no certificate of that name or serial number.
        public static let notFound = Code(rawValue: "not-found")
        /// The name has a valid certificate already.
        public static let alreadyIssued = Code(rawValue: "already-issued")
        /// The claim token is unknown, used, expired or another device's.
        public static let tokenRefused = Code(rawValue: "token-refused")
        /// The register or the authority is not as it was written.
        public static let damaged = Code(rawValue: "damaged")
        /// The keychain could not do its part; see ``IdentityError/underlying``.
        public static let keychain = Code(rawValue: "keychain")
        /// A file could not be read or written.
        public static let system = Code(rawValue: "system")
        /// The files of a certificate or a broker cannot be written where they are to be; nothing was issued.
        public static let unwritable = Code(rawValue: "unwritable")
        /// The certificates of the home's authority are no longer valid; nothing was issued.
        public static let authorityEnded = Code(rawValue: "authority-ended")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, why, and what to do.
    public let message: String
    /// The error of the keychain, for ``Code/keychain``.
    public let underlying: KeychainError?
    /// Where in the source it was made.
    public let origin: String

    init(
        _ code: Code, _ message: String, underlying: KeychainError? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        origin = "\(file):\(line)"
    }

    /// The keychain, or a file that it protects, could not be used.
    init(_ error: KeychainError, file: StaticString = #fileID, line: UInt = #line) {
        self.init(.keychain, error.message, underlying: error, file: file, line: line)
    }

    public var description: String { message }
}

extension IdentityError {
    static func alreadyIssued(_ record: IdentityRecord) -> IdentityError {
        IdentityError(
            .alreadyIssued,
            "\(record.name) has the certificate \(record.serial): 'homeport identity rotate' replaces "
                + "it, 'homeport identity revoke' takes it back")
    }

    static var authorityEnded: IdentityError {
        IdentityError(
            .authorityEnded,
            "the home's authority has ended after its 20 years, and nothing was issued: a home of "
                + "another name gets a new authority; name it with --home")
    }

    static func noExport(in path: String, of home: HomeID) -> IdentityError {
        IdentityError(
            .notFound,
            "\(path) holds no export of the home \(home), and nothing was revoked: name the folder "
                + "that 'homeport identity export' has written, or a copy of it")
    }

    static func notFound(_ serial: SerialNumber) -> IdentityError {
        IdentityError(
            .notFound,
            "this home's authority has issued no certificate \(serial): 'homeport identity list' lists all"
        )
    }

    static func notFound(_ name: IdentityName) -> IdentityError {
        IdentityError(
            .notFound,
            "\(name) has no certificate of this home: 'homeport identity list' lists all, 'homeport "
                + "identity issue' makes one")
    }
}
