/// A conversation with a device could not be tried, or broke off.
///
/// A device's or broker's decision about a command is not an error but a ``DeliveryReceipt`` or an
/// acknowledgement.
public struct CommunicationError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. An open set.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The other end does not answer.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The other end rejects our credentials.
        public static let credentialsRefused = Code(rawValue: "credentials-refused")
        /// The TLS handshake failed: either side rejected a certificate, a key or a name.
        public static let tlsRefused = Code(rawValue: "tls-refused")
        /// We are authenticated, but not authorized to do this.
        public static let notPermitted = Code(rawValue: "not-permitted")
        /// No response arrived in time.
        public static let timedOut = Code(rawValue: "timed-out")
        /// There is no link now; nothing was sent.
        public static let notConnected = Code(rawValue: "not-connected")
        /// The link broke while the message was in flight; it may or may not have arrived.
        public static let linkLost = Code(rawValue: "link-lost")
        /// The channel takes no more messages at present; nothing was sent.
        public static let overloaded = Code(rawValue: "overloaded")
        /// No channel is set up for the device.
        public static let noChannel = Code(rawValue: "no-channel")
        /// The channel was closed.
        public static let closed = Code(rawValue: "closed")
        /// The channel cannot express the request.
        public static let cannotExpress = Code(rawValue: "cannot-express")
        /// The other end speaks another version of the protocol.
        public static let otherVersion = Code(rawValue: "other-version")
        /// The other end broke the protocol.
        public static let protocolViolation = Code(rawValue: "protocol-violation")
    }

    /// Whether what was to be sent may have reached the other end.
    public enum Certainty: String, Hashable, Sendable, CaseIterable {
        /// It was certainly not sent.
        case neverLeft = "never-left"
        /// It may have been sent, or that is unknown.
        case mayHaveLeft = "may-have-left"
    }

    /// What kind of failure it is.
    public let code: Code
    /// Whether what was to be sent may have reached the other end.
    public let certainty: Certainty
    /// What happened, why, and what to do.
    public let message: String
    /// The lower layer's error text, if there is one.
    public let underlying: String?
    /// Whether the same attempt may succeed later.
    public let isRetriable: Bool
    /// Whether a broker may accept the connection with a user name and password, or with others.
    public let isCuredByCredentials: Bool
    /// Where in the source it was made.
    public let origin: String

    public init(
        _ code: Code, _ message: String, certainty: Certainty = .mayHaveLeft,
        underlying: String? = nil, isRetriable: Bool = false, isCuredByCredentials: Bool = false,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.certainty = certainty
        self.message = message
        self.underlying = underlying
        self.isRetriable = isRetriable
        self.isCuredByCredentials = isCuredByCredentials
        origin = "\(file):\(line)"
    }

    public var description: String {
        underlying.map { "\(message) (\($0))" } ?? message
    }
}
