/// What a diagnosis has found in one check.
public struct Finding: Hashable, Sendable {
    /// What was checked. An open set.
    public struct Check: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The configuration file.
        public static let configurationFile = Check(rawValue: "configuration-file")
        /// The options and variables that name home, broker and files.
        public static let options = Check(rawValue: "options")
        /// Versions of the program and its libraries.
        public static let versions = Check(rawValue: "versions")
        /// Limits of the process.
        public static let limits = Check(rawValue: "limits")
        /// Where a running `homeport-sim` announces its private broker.
        public static let meetingPoint = Check(rawValue: "meeting-point")
        /// Whether a running `homeport serve` that calls would use answers.
        public static let server = Check(rawValue: "server")
        /// The file of the ledger, its folder and permissions.
        public static let ledgerFile = Check(rawValue: "ledger-file")
        /// Whether the ledger can be opened and is sound.
        public static let ledger = Check(rawValue: "ledger")
        /// The hash chain of the ledger's log.
        public static let auditChain = Check(rawValue: "audit-chain")
        /// What was kept of the devices, beside the ledger.
        public static let history = Check(rawValue: "history")
        /// The room on the disk of the ledger.
        public static let diskSpace = Check(rawValue: "disk-space")
        /// Commands whose outcome is unknown.
        public static let unknownOutcomes = Check(rawValue: "unknown-outcomes")
        /// The user's keychain.
        public static let keychain = Check(rawValue: "keychain")
        /// User name and password for a broker.
        public static let credentials = Check(rawValue: "credentials")
        /// Certificates and keys.
        public static let tlsFiles = Check(rawValue: "tls-files")
        /// Certificates that were taken back, and the broker that was exported last.
        public static let certificates = Check(rawValue: "certificates")
        /// Whether a broker can be reached and accepts the connection.
        public static let broker = Check(rawValue: "broker")
        /// Whether the addresses of a broker are nodes of one cluster.
        public static let cluster = Check(rawValue: "cluster")
        /// Whether a platform's API can be reached and accepts the key.
        public static let platform = Check(rawValue: "platform")
        /// Whether a platform's subscription lets this client receive, and who else does.
        public static let subscription = Check(rawValue: "subscription")
        /// What a broker supports.
        public static let brokerLimits = Check(rawValue: "broker-limits")
        /// The thing models of a channel.
        public static let models = Check(rawValue: "models")
        /// How large messages a broker takes.
        public static let messageSize = Check(rawValue: "message-size")
        /// Which topics a broker allows.
        public static let accessControl = Check(rawValue: "access-control")
        /// Whether a broker replays retained messages.
        public static let retainedMessages = Check(rawValue: "retained-messages")
        /// How many messages a broker keeps for a slow reader.
        public static let brokerQueue = Check(rawValue: "broker-queue")
        /// How long messages take.
        public static let latency = Check(rawValue: "latency")
        /// Whether devices answer, and what they say.
        public static let devices = Check(rawValue: "devices")
        /// Whether the clocks of devices and of this machine agree.
        public static let clock = Check(rawValue: "clock")
        /// Whether each id of a device has one owner.
        public static let deviceIDs = Check(rawValue: "device-ids")
    }

    /// How bad it is.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// Nothing is wrong.
        case ok
        /// It works, but not well or not for certain.
        case warning
        /// Something is wrong.
        case problem
    }

    /// What was checked.
    public let check: Check
    /// How bad it is.
    public let status: Status
    /// What was found: one line.
    public let message: String
    /// What to do; empty only where nothing is to be done.
    public let remedy: String

    /// Nothing is wrong.
    public static func ok(_ check: Check, _ message: String) -> Finding {
        Finding(check: check, status: .ok, message: message, remedy: "")
    }

    /// It works, but not well or not for certain.
    public static func warning(_ check: Check, _ message: String, remedy: String) -> Finding {
        Finding(check: check, status: .warning, message: message, remedy: remedy)
    }

    /// Something is wrong.
    public static func problem(_ check: Check, _ message: String, remedy: String) -> Finding {
        Finding(check: check, status: .problem, message: message, remedy: remedy)
    }
}
