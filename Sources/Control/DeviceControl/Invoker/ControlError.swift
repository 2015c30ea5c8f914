/// A command could not be tried. How a command ended is a ``CommandOutcome``, never an error.
public struct ControlError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. An open set.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The ledger failed; nothing was sent.
        public static let ledger = Code(rawValue: "ledger")
        /// The device cannot be reached by any channel that is set up.
        public static let noChannel = Code(rawValue: "no-channel")
        /// The time until expiry is not from 1 ms to 24 h.
        public static let badLifetime = Code(rawValue: "bad-lifetime")
        /// Too many commands wait for the device.
        public static let queueFull = Code(rawValue: "queue-full")
        /// The device's channel has no way to say the command.
        public static let cannotExpress = Code(rawValue: "cannot-express")
        /// The invoker does not run: it was not started, or it has stopped.
        public static let notRunning = Code(rawValue: "not-running")
        /// The ledger has no such command.
        public static let unknownID = Code(rawValue: "unknown-id")
        /// The caller was cancelled; the command goes on.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, why, and what to do.
    public let message: String
    /// The ledger's error, where it failed.
    public let ledgerError: LedgerError?
    /// Where in the source it was made.
    public let origin: String

    init(
        _ code: Code, _ message: String, ledgerError: LedgerError? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.ledgerError = ledgerError
        origin = "\(file):\(line)"
    }

    init(_ error: LedgerError) {
        if error.code == .inexpressible {
            self.init(.cannotExpress, error.message)
        } else {
            self.init(.ledger, error.description, ledgerError: error)
        }
    }

    public var description: String { message }
}
