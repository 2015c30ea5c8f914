public import DeviceControl
public import DeviceMessages

/// Why a command is where it is, as a value: a view says it in its own language.
public enum CommandReason: Hashable, Sendable {
    /// There is nothing to say beyond its state.
    case nothing
    /// The device gives this code, and says it in words of its own, which may be empty.
    case device(AckCode, words: String)
    /// It waits here until its device can be reached.
    case waits
    /// The time in which it could start passed before it left.
    case neverLeft
    /// It was given up here, or the link did not take it; this is the code.
    case givenUp(AckCode)
    /// Another command took its place before it left.
    case replaced
    /// It was delivered, and nothing can show whether it took effect.
    case noEvidence
    /// The device has not answered.
    case noAnswer
    /// The device has accepted it and has not said how it ended.
    case noEnd

    /// The reason for where a command stands.
    public init(_ progress: CommandProgress) {
        let code = progress.code ?? .ok
        let isHeard = progress.lastAck > 0 || progress.timings.acceptedAt != nil
        let words = CommandReason.device(code, words: progress.message)
        switch progress.state {
        case .sent where progress.isWithoutEvidence: self = .noEvidence
        case .created, .queued, .sending, .sent:
            self = progress.message.isEmpty ? .nothing : .waits
        case .accepted, .running, .succeeded:
            self = code == .ok && progress.message.isEmpty ? .nothing : words
        case .failed, .rejected: self = words
        case .cancelled: self = isHeard ? words : .nothing
        case .superseded: self = isHeard ? words : .replaced
        case .expired: self = isHeard ? words : .neverLeft
        case .refused: self = .givenUp(code)
        case .unknown: self = progress.timings.acceptedAt == nil ? .noAnswer : .noEnd
        }
    }
}
