/// An error of the client.
public struct MQTTError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; the set is open.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A value that MQTT does not allow, or that is invalid here.
        public static let invalidArgument = Self(rawValue: "invalid-argument")
        /// There was no connection; nothing was sent or queued.
        public static let notConnected = Self(rawValue: "not-connected")
        /// The connection ended before the broker answered: whether it got the message is not known.
        public static let connectionLost = Self(rawValue: "connection-lost")
        /// No TCP connection could be made.
        public static let unreachable = Self(rawValue: "unreachable")
        /// The host name has no address.
        public static let nameResolutionFailed = Self(rawValue: "name-resolution-failed")
        /// The TCP connection or the CONNACK did not come in time.
        public static let connectTimeout = Self(rawValue: "connect-timeout")
        /// The TLS handshake failed: a certificate, a key or a protocol version was refused.
        public static let tlsFailed = Self(rawValue: "tls-failed")
        /// A file or name of the TLS configuration cannot be used.
        public static let tlsConfiguration = Self(rawValue: "tls-configuration")
        /// The connection would leave this machine unencrypted, which the configuration does not allow.
        public static let insecureConnection = Self(rawValue: "insecure-connection")
        /// The broker answered CONNECT with an error; see ``MQTTError/reasonCode``.
        public static let connectionRefused = Self(rawValue: "connection-refused")
        /// The broker refused a subscription; see ``MQTTError/reasonCode``.
        public static let subscriptionRefused = Self(rawValue: "subscription-refused")
        /// The broker refused to accept a request; see ``MQTTError/reasonCode``.
        public static let publishRefused = Self(rawValue: "publish-refused")
        /// Nobody subscribes to the topic of a request.
        public static let noResponder = Self(rawValue: "no-responder")
        /// No response came in time; whether the request was executed is not known.
        public static let deadlineExceeded = Self(rawValue: "deadline-exceeded")
        /// The broker sent DISCONNECT; see ``MQTTError/reasonCode``.
        public static let serverDisconnected = Self(rawValue: "server-disconnected")
        /// The broker answered nothing for one and a half keep-alive intervals.
        public static let keepAliveTimeout = Self(rawValue: "keep-alive-timeout")
        /// The broker did not acknowledge anything in time.
        public static let acknowledgementTimeout = Self(rawValue: "acknowledgement-timeout")
        /// Another connection uses this client id.
        public static let sessionTakenOver = Self(rawValue: "session-taken-over")
        /// The broker has closed several connections within seconds of CONNACK: probably another client uses
        /// this client id.
        public static let likelyDuplicateClientID = Self(rawValue: "likely-duplicate-client-id")
        /// The peer violated the MQTT protocol.
        public static let protocolViolation = Self(rawValue: "protocol-violation")
        /// The outbound queue is full; the message was not accepted.
        public static let outboxFull = Self(rawValue: "outbox-full")
        /// The message is larger than the broker accepts.
        public static let packetTooLarge = Self(rawValue: "packet-too-large")
        /// The broker's CONNACK says that it does not support this.
        public static let unsupported = Self(rawValue: "unsupported")
        /// The owner has closed the connection; nothing was sent.
        public static let closed = Self(rawValue: "closed")
        /// The waiting task was cancelled; the broker may have received the message.
        public static let cancelled = Self(rawValue: "cancelled")
        /// Memory, descriptors or threads ran out.
        public static let resourcesExhausted = Self(rawValue: "resources-exhausted")
    }

    public var code: Code
    /// What happened, why, and what to do.
    public var message: String
    /// The broker's reason code, if it sent one; for a subscription that its CONNACK excludes, the one that
    /// MQTT defines for that.
    public var reasonCode: MQTTReasonCode?
    /// The reason string of a refusal in CONNACK, if there was one.
    public var reasonString: String?
    /// The server reference of a refusal in CONNACK. The client does not connect there, because the
    /// application must decide whether to trust it. The wrapped library loses the one of a DISCONNECT.
    public var serverReference: String?
    /// The C library's return code, if it caused the failure.
    public var libraryCode: Int32?
    /// The operating system's `errno`, if it caused the failure.
    public var systemError: Int32?
    /// Whether the same call may succeed later without a change on this side.
    public var isRetriable: Bool
    /// Where in the source the error was created.
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
