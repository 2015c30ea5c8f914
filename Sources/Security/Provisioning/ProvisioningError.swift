public import DeviceDomain

/// Why a device could not be provisioned, and what the user can do about it. It contains nothing of a secret.
public struct ProvisioningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is. An open set.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public var description: String { rawValue }
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No access point of the device can be reached.
        public static let noAccessPoint = Code(rawValue: "NO_ACCESS_POINT")
        /// The connection to the access point broke.
        public static let connectionLost = Code(rawValue: "CONNECTION_LOST")
        /// What answers at the access point does not follow the protocol.
        public static let unreadableAnswer = Code(rawValue: "UNREADABLE_ANSWER")
        /// The device answered that it does not do that.
        public static let refused = Code(rawValue: "REFUSED")
        /// The device takes a Wi-Fi network, but no home.
        public static let claimUnsupported = Code(rawValue: "CLAIM_UNSUPPORTED")
        /// The proof of possession, or user and code, are not those of the device.
        public static let wrongProof = Code(rawValue: "WRONG_PROOF")
        /// The device asks for a protection that was not allowed.
        public static let unsupportedSecurity = Code(rawValue: "UNSUPPORTED_SECURITY")
        /// The session would repeat a nonce, so that a listener could read the Wi-Fi password.
        public static let weakSession = Code(rawValue: "WEAK_SESSION")
        /// No Wi-Fi network can have the password, or the network asks for one and none was given.
        public static let unusablePassword = Code(rawValue: "UNUSABLE_PASSWORD")
        /// The Wi-Fi network refused the password.
        public static let wrongPassword = Code(rawValue: "WRONG_PASSWORD")
        /// The device does not find the Wi-Fi network.
        public static let networkNotFound = Code(rawValue: "NETWORK_NOT_FOUND")
        /// The device did not show itself at the broker in time.
        public static let notSeen = Code(rawValue: "NOT_SEEN")
        /// Another device of the home has the name.
        public static let nameTaken = Code(rawValue: "NAME_TAKEN")
        /// The home's authority issued no certificate.
        public static let authority = Code(rawValue: "AUTHORITY")
        /// The keychain cannot be used.
        public static let keychain = Code(rawValue: "KEYCHAIN")
        /// The attempt cannot be written down.
        public static let storage = Code(rawValue: "STORAGE")
        /// Another process goes on with the attempt.
        public static let otherProcess = Code(rawValue: "OTHER_PROCESS")
        /// The home's broker cannot be reached.
        public static let broker = Code(rawValue: "BROKER")
        /// The Matter server cannot be reached.
        public static let server = Code(rawValue: "MATTER_SERVER")
        /// The Matter server did not find the device.
        public static let deviceNotFound = Code(rawValue: "DEVICE_NOT_FOUND")
        /// The Matter server could not bring the device in.
        public static let commissioningFailed = Code(rawValue: "COMMISSIONING_FAILED")
        /// The device did not commit the claim.
        public static let commitRefused = Code(rawValue: "COMMIT_REFUSED")
        /// It took too long.
        public static let timedOut = Code(rawValue: "TIMED_OUT")
        /// The caller was cancelled.
        public static let cancelled = Code(rawValue: "CANCELLED")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened and why.
    public let message: String
    /// What the user can do.
    public let userAction: UserAction

    public init(_ code: Code, _ message: String, _ userAction: UserAction) {
        self.code = code
        self.message = message
        self.userAction = userAction
    }

    public var description: String { "\(message); \(userAction.instruction)" }

    /// Whether the same may succeed when it is tried again at once.
    public var mayPass: Bool { Self.passing.contains(code) }

    private static let passing: Set<Code> = [
        .noAccessPoint, .connectionLost, .unreadableAnswer, .refused, .networkNotFound, .timedOut,
        .broker, .server,
    ]
}
