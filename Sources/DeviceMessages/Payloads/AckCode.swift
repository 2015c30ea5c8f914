/// Why a command has the stage that it has. An open set: a device may bring its own.
public struct AckCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing is wrong.
    public static let ok = AckCode(rawValue: "OK")

    /// Something else runs.
    public static let busy = AckCode(rawValue: "BUSY")
    /// Too many commands wait, or no record of another can be kept.
    public static let throttled = AckCode(rawValue: "THROTTLED")
    /// The device cannot yet.
    public static let notReady = AckCode(rawValue: "NOT_READY")
    /// The device has a fault of its own making.
    public static let `internal` = AckCode(rawValue: "INTERNAL")

    /// The payload is not what the protocol says.
    public static let badRequest = AckCode(rawValue: "BAD_REQUEST")
    /// The device takes no command of this name.
    public static let unknownCommand = AckCode(rawValue: "UNKNOWN_COMMAND")
    /// An argument is missing, unknown, mistyped or out of range.
    public static let badArguments = AckCode(rawValue: "BAD_ARGUMENTS")
    /// Another version of the protocol than the device's.
    public static let unsupportedVersion = AckCode(rawValue: "UNSUPPORTED_VERSION")
    /// The sender may not do this.
    public static let forbidden = AckCode(rawValue: "FORBIDDEN")
    /// The state has moved on since the revision that the command was meant for.
    public static let precondition = AckCode(rawValue: "PRECONDITION")
    /// The command was meant for another start of the device.
    public static let staleSession = AckCode(rawValue: "STALE_SESSION")
    /// The device is in a state in which the command means nothing.
    public static let wrongState = AckCode(rawValue: "WRONG_STATE")
    /// Another command had this id.
    public static let idReused = AckCode(rawValue: "ID_REUSED")
    /// It would do harm.
    public static let unsafe = AckCode(rawValue: "UNSAFE")
    /// The response topic is not the controller's own ack topic.
    public static let badResponseTopic = AckCode(rawValue: "BAD_RESPONSE_TOPIC")

    /// The time to begin is over.
    public static let expired = AckCode(rawValue: "EXPIRED")
    /// A stop or a cancel-command ended it.
    public static let cancelled = AckCode(rawValue: "CANCELLED")
    /// Another command took its place.
    public static let superseded = AckCode(rawValue: "SUPERSEDED")
    /// The device was restarted in the midst of it.
    public static let interrupted = AckCode(rawValue: "INTERRUPTED")

    /// The device cannot get on.
    public static let stuck = AckCode(rawValue: "STUCK")
    /// The battery is too low.
    public static let lowBattery = AckCode(rawValue: "LOW_BATTERY")
    /// Something of the device is broken.
    public static let hardwareFault = AckCode(rawValue: "HARDWARE_FAULT")

    /// The codes that are worth trying again, with a new id.
    public static let retriable: [AckCode] = [.busy, .throttled, .notReady, .internal]

    /// Every code of PROTOCOL section 2, in its order.
    public static let known: [AckCode] =
        [.ok] + retriable + [
            .badRequest, .unknownCommand, .badArguments, .unsupportedVersion, .forbidden,
            .precondition, .staleSession, .wrongState, .idReused, .unsafe, .badResponseTopic,
            .expired, .cancelled, .superseded, .interrupted, .stuck, .lowBattery, .hardwareFault,
        ]

    /// Whether trying again with a new id is worth it.
    public var isRetriable: Bool { Self.retriable.contains(self) }
}

extension AckCode: CustomStringConvertible {
    public var description: String { rawValue }
}
