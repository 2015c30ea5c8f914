/// The ledger could not do what it was asked; nothing is half done.
public struct LedgerError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. An open set.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file or its folder cannot be made or written.
        public static let unwritable = Code(rawValue: "unwritable")
        /// The file is damaged.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The file is no ledger.
        public static let foreign = Code(rawValue: "foreign")
        /// The file was written by a newer version.
        public static let newerSchema = Code(rawValue: "newer-schema")
        /// Another process held the file for too long.
        public static let busy = Code(rawValue: "busy")
        /// There is no room left.
        public static let full = Code(rawValue: "full")
        /// The database cannot be reached, or does not tell whether it has written.
        public static let unreachable = Code(rawValue: "unreachable")
        /// Another process owns the home; nothing was written.
        public static let fenced = Code(rawValue: "fenced")
        /// The command is in the ledger already, or is not in it.
        public static let conflict = Code(rawValue: "conflict")
        /// The command's channel cannot make its bytes.
        public static let inexpressible = Code(rawValue: "inexpressible")
        /// Something else; see ``LedgerError/underlying``.
        public static let failed = Code(rawValue: "failed")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, why, and what to do.
    public let message: String
    /// The message of the lower layer, if it had one.
    public let underlying: String?
    /// Where in the source it was made.
    public let origin: String

    public init(
        _ code: Code, _ message: String, underlying: String? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        origin = "\(file):\(line)"
    }

    public var description: String {
        underlying.map { "\(message) (\($0))" } ?? message
    }
}
