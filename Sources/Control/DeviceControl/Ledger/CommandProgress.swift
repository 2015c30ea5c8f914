public import DeviceDomain
public import DeviceMessages

/// What is known of a command's outcome; the part of its record that changes.
public struct CommandProgress: Hashable, Sendable {
    /// How many changes were recorded before; the ledger compares it before it sets.
    public var step: Int
    /// Where the command stands.
    public var state: CommandState
    /// Why, as a code; `nil` before anything was heard.
    public var code: AckCode?
    /// Why, for people; may be empty.
    public var message: String
    /// How much of an action is done, if the device says so.
    public var percent: Double?
    /// What came of it.
    public var result: JSONObject
    /// The first revision of the device's state that contains the effect, from the final ack.
    public var revision: Int?
    /// The start of the device that the newest ack came from.
    public var boot: BootID?
    /// The highest `n` of its acks; 0 before the first one.
    public var lastAck: Int
    /// How often it was handed to the link.
    public var sends: Int
    /// The revision of the settings that the link keeps for the device from which on they contain the
    /// command; `nil` unless it goes there.
    public var desiredRevision: Int?
    /// Whether an earlier send may have reached the device.
    public var mayHaveLeft: Bool
    /// When what happened (wire clock).
    public var timings: CommandTimings

    public init(
        step: Int = 0, state: CommandState = .created, code: AckCode? = nil, message: String = "",
        percent: Double? = nil, result: JSONObject = [:], revision: Int? = nil,
        boot: BootID? = nil, lastAck: Int = 0, sends: Int = 0,
        desiredRevision: Int? = nil, mayHaveLeft: Bool = false, timings: CommandTimings
    ) {
        self.step = step
        self.state = state
        self.code = code
        self.message = message
        self.percent = percent
        self.result = result
        self.revision = revision
        self.boot = boot
        self.lastAck = lastAck
        self.sends = sends
        self.desiredRevision = desiredRevision
        self.mayHaveLeft = mayHaveLeft
        self.timings = timings
    }

    /// Whether nothing is done about it any more although its state is not final: the outcome stays unknown
    /// and was put away, or it was sent and nothing can show its effect. Late evidence opens it again.
    public var isClosed: Bool { timings.closedAt != nil }

    /// Whether waiting for it has ended: it is final, its outcome is unknown, or it is closed.
    public var isSettled: Bool { state.isSettled || isClosed }

    /// Whether the link keeps the command for a device that has not reported it yet.
    public var isKept: Bool { desiredRevision != nil && !state.isFinal }

    /// The progress once the process that followed the command has ended: what it was sending may have left.
    public var adopted: CommandProgress {
        guard state == .sending, !mayHaveLeft else { return self }
        var copy = self
        copy.step += 1
        copy.mayHaveLeft = true
        return copy
    }

    /// Whether a process must go on with it. One that is kept is open even while its outcome is unknown:
    /// the state of the device tells in the end.
    public var isOpen: Bool { !isClosed && (!state.isSettled || isKept) }
}

/// When what happened to a command (wire clock).
public struct CommandTimings: Hashable, Sendable {
    /// When it was made.
    public var createdAt: Timestamp
    /// When the link first confirmed it, or the device's answer showed that it had arrived.
    public var sentAt: Timestamp?
    /// When the device's first ack came.
    public var acceptedAt: Timestamp?
    /// When its final state was known.
    public var finalAt: Timestamp?
    /// When its effect was seen in the device's own state.
    public var observedAt: Timestamp?
    /// When it was closed without a final state: see ``CommandProgress/isClosed``.
    public var closedAt: Timestamp?

    public init(
        createdAt: Timestamp, sentAt: Timestamp? = nil, acceptedAt: Timestamp? = nil,
        finalAt: Timestamp? = nil, observedAt: Timestamp? = nil, closedAt: Timestamp? = nil
    ) {
        self.createdAt = createdAt
        self.sentAt = sentAt
        self.acceptedAt = acceptedAt
        self.finalAt = finalAt
        self.observedAt = observedAt
        self.closedAt = closedAt
    }
}
