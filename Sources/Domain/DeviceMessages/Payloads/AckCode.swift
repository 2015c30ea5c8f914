/// The reason for a command's stage. An open set, which devices can extend.
public struct AckCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No error.
    public static let ok = AckCode(rawValue: "OK")

    /// Another action is running.
    public static let busy = AckCode(rawValue: "BUSY")
    /// Too many commands are waiting, or no record can be stored for another one.
    public static let throttled = AckCode(rawValue: "THROTTLED")
    /// The device is not ready yet.
    public static let notReady = AckCode(rawValue: "NOT_READY")
    /// An internal error of the device.
    public static let `internal` = AckCode(rawValue: "INTERNAL")

    /// The payload violates the protocol.
    public static let badRequest = AckCode(rawValue: "BAD_REQUEST")
    /// The device has no command of this name.
    public static let unknownCommand = AckCode(rawValue: "UNKNOWN_COMMAND")
    /// An argument is missing, unknown, mistyped or out of range.
    public static let badArguments = AckCode(rawValue: "BAD_ARGUMENTS")
    /// The device does not support this version of the protocol.
    public static let unsupportedVersion = AckCode(rawValue: "UNSUPPORTED_VERSION")
    /// The sender is not allowed to do this.
    public static let forbidden = AckCode(rawValue: "FORBIDDEN")
    /// The state has a newer revision than the command expects.
    public static let precondition = AckCode(rawValue: "PRECONDITION")
    /// The command was meant for another boot of the device.
    public static let staleSession = AckCode(rawValue: "STALE_SESSION")
    /// The command is not possible in the device's present state.
    public static let wrongState = AckCode(rawValue: "WRONG_STATE")
    /// Another command had this id.
    public static let idReused = AckCode(rawValue: "ID_REUSED")
    /// It would be unsafe.
    public static let unsafe = AckCode(rawValue: "UNSAFE")
    /// The response topic is not the controller's own ack topic.
    public static let badResponseTopic = AckCode(rawValue: "BAD_RESPONSE_TOPIC")

    /// The command has expired.
    public static let expired = AckCode(rawValue: "EXPIRED")
    /// A stop or a cancel-command ended it.
    public static let cancelled = AckCode(rawValue: "CANCELLED")
    /// Another command replaced it.
    public static let superseded = AckCode(rawValue: "SUPERSEDED")
    /// The device was restarted while it ran.
    public static let interrupted = AckCode(rawValue: "INTERRUPTED")

    /// The device is stuck.
    public static let stuck = AckCode(rawValue: "STUCK")
    /// The battery is too low.
    public static let lowBattery = AckCode(rawValue: "LOW_BATTERY")
    /// A part of the device is defective.
    public static let hardwareFault = AckCode(rawValue: "HARDWARE_FAULT")

    /// The codes after which a retry with a new id is useful.
    public static let retriable: [AckCode] = [.busy, .throttled, .notReady, .internal]

    /// Every code of PROTOCOL section 2, in its order.
    public static let known: [AckCode] =
        [.ok] + retriable + [
            .badRequest, .unknownCommand, .badArguments, .unsupportedVersion, .forbidden,
            .precondition, .staleSession, .wrongState, .idReused, .unsafe, .badResponseTopic,
            .expired, .cancelled, .superseded, .interrupted, .stuck, .lowBattery, .hardwareFault,
        ]

    /// Whether a retry with a new id is useful.
    public var isRetriable: Bool { Self.retriable.contains(self) }
}

extension AckCode: CustomStringConvertible {
    public var description: String { rawValue }
}
