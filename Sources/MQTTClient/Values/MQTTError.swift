/// Why something could not be done.
public struct MQTTError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; the set is open.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A value that no MQTT packet can carry, or that makes no sense here.
        public static let invalidArgument = Self(rawValue: "invalid-argument")
        /// Asked for while there was no connection; nothing was sent or kept.
        public static let notConnected = Self(rawValue: "not-connected")
        /// The connection ended before the broker answered: whether it got the message is not known.
        public static let connectionLost = Self(rawValue: "connection-lost")
        /// No TCP connection could be made.
        public static let unreachable = Self(rawValue: "unreachable")
        /// The host name has no address.
        public static let nameResolutionFailed = Self(rawValue: "name-resolution-failed")
        /// TCP connection and CONNACK did not come in time.
        public static let connectTimeout = Self(rawValue: "connect-timeout")
        /// The TLS handshake failed: a certificate, a key or a protocol version was refused.
        public static let tlsFailed = Self(rawValue: "tls-failed")
        /// A file or a name that TLS was to use cannot be used.
        public static let tlsConfiguration = Self(rawValue: "tls-configuration")
        /// The connection would leave this machine unencrypted, which nobody asked for.
        public static let insecureConnection = Self(rawValue: "insecure-connection")
        /// The broker answered CONNECT with an error; see ``MQTTError/reasonCode``.
        public static let connectionRefused = Self(rawValue: "connection-refused")
        /// The broker refused a subscription; see ``MQTTError/reasonCode``.
        public static let subscriptionRefused = Self(rawValue: "subscription-refused")
        /// The broker refused to take a request; see ``MQTTError/reasonCode``.
        public static let publishRefused = Self(rawValue: "publish-refused")
        /// Nobody subscribes to the topic of a request.
        public static let noResponder = Self(rawValue: "no-responder")
        /// No answer came in time; whether the request was carried out is not known.
        public static let deadlineExceeded = Self(rawValue: "deadline-exceeded")
        /// The broker sent DISCONNECT; see ``MQTTError/reasonCode``.
        public static let serverDisconnected = Self(rawValue: "server-disconnected")
        /// The broker answered nothing for one and a half keep-alive intervals.
        public static let keepAliveTimeout = Self(rawValue: "keep-alive-timeout")
        /// The broker acknowledged nothing for the time that it was given.
        public static let acknowledgementTimeout = Self(rawValue: "acknowledgement-timeout")
        /// Another connection uses this client id.
        public static let sessionTakenOver = Self(rawValue: "session-taken-over")
        /// The broker closes again and again seconds after CONNACK: probably another client has
        /// this client id.
        public static let likelyDuplicateClientID = Self(rawValue: "likely-duplicate-client-id")
        /// The peer sent what MQTT does not allow.
        public static let protocolViolation = Self(rawValue: "protocol-violation")
        /// The bounded queue of messages to send is full; this one was not taken.
        public static let outboxFull = Self(rawValue: "outbox-full")
        /// The message is larger than the broker accepts.
        public static let packetTooLarge = Self(rawValue: "packet-too-large")
        /// The broker said at CONNECT that it does not support this.
        public static let unsupported = Self(rawValue: "unsupported")
        /// The connection is being closed or was closed by its owner; nothing was sent.
        public static let closed = Self(rawValue: "closed")
        /// The waiting task was cancelled; the broker may have got the message.
        public static let cancelled = Self(rawValue: "cancelled")
        /// Memory, descriptors or threads ran out.
        public static let resourcesExhausted = Self(rawValue: "resources-exhausted")
    }

    public var code: Code
    /// What happened, why, and what to do.
    public var message: String
    /// The broker's reason, where it gave one.
    public var reasonCode: MQTTReasonCode?
    /// The broker's own words about its refusal in CONNACK, where it gave some.
    public var reasonString: String?
    /// The broker that a refusal in CONNACK names instead. It is not connected to: whether it can be
    /// trusted is for the application to say. The wrapped library loses the one of a DISCONNECT.
    public var serverReference: String?
    /// The C library's return code, where it caused the failure.
    public var libraryCode: Int32?
    /// The operating system's `errno`, where it caused the failure.
    public var systemError: Int32?
    /// Whether the same may succeed later without a change on this side.
    public var isRetriable: Bool
    /// Where in the source the error was made.
    public var file: String
    public var line: Int

    public init(
        _ code: Code, _ message: String, reasonCode: MQTTReasonCode? = nil,
        libraryCode: Int32? = nil, systemError: Int32? = nil, isRetriable: Bool = false,
        file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.reasonCode = reasonCode
        self.libraryCode = libraryCode
        self.systemError = systemError
        self.isRetriable = isRetriable
        self.file = file
        self.line = line
    }

    public var description: String { "\(code.rawValue): \(message)" }

    static func invalid(
        _ message: String, file: String = #fileID, line: Int = #line
    ) -> MQTTError {
        MQTTError(.invalidArgument, message, file: file, line: line)
    }
}
