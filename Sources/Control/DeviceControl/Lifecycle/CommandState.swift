/// Where a command stands (PROTOCOL section 4).
public enum CommandState: String, Hashable, Sendable, CaseIterable {
    /// Made, not yet in the ledger.
    case created
    /// In the ledger, waiting to be sent.
    case queued
    /// On its way to the link, or handed to a link that has confirmed nothing.
    case sending
    /// The link has taken charge of it.
    case sent
    /// The device has accepted it.
    case accepted
    /// The device reports progress.
    case running
    /// The device has done it.
    case succeeded
    /// The device tried and could not.
    case failed
    /// The device did not take it.
    case rejected
    /// Another command took it back.
    case cancelled
    /// Another command took its place.
    case superseded
    /// It was given up before it could have an effect.
    case refused
    /// Its time passed before it could have an effect.
    case expired
    /// Whether it had an effect is unknown; a late answer may tell.
    case unknown

    /// Whether nothing changes it any more.
    public var isFinal: Bool {
        switch self {
        case .created, .queued, .sending, .sent, .accepted, .running, .unknown: false
        case .succeeded, .failed, .rejected, .cancelled, .superseded, .refused, .expired: true
        }
    }

    /// Whether waiting for it has ended: it is final, or its outcome is unknown.
    public var isSettled: Bool { isFinal || self == .unknown }

    /// Whether the device works on it, as far as we know.
    public var isUnderWay: Bool { self == .accepted || self == .running }

    /// Whether it is open and the device has not answered it yet.
    public var awaitsFirstAck: Bool { !isSettled && !isUnderWay }
}

/// How a command ended; an expected value, never an error.
public enum CommandOutcome: String, Hashable, Sendable, CaseIterable {
    /// The device has done it.
    case succeeded
    /// The device tried and could not.
    case failed
    /// The device did not take it.
    case rejected
    /// Another command took it back.
    case cancelled
    /// Another command took its place.
    case superseded
    /// It was given up before it could have an effect.
    case refused
    /// Its time passed before it could have an effect.
    case expired
    /// Whether it had an effect is unknown.
    case unknown

    /// The outcome that a state stands for; `nil` while the command is open.
    public init?(_ state: CommandState) {
        self.init(rawValue: state.rawValue)
    }
}
