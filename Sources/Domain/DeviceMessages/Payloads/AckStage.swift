/// How far a command has come, as its device says.
public enum AckStage: String, Hashable, Sendable, CaseIterable {
    /// The device has taken it on.
    case accepted
    /// It waits or runs.
    case progress
    /// It has had its effect.
    case succeeded
    /// It was begun and did not get there.
    case failed
    /// The device does not do it.
    case rejected
    /// Its time ran out before it was begun.
    case expired
    /// A stop or a cancel-command ended it.
    case cancelled
    /// Another command took its place.
    case superseded

    /// Whether no other stage can follow.
    public var isFinal: Bool { self != .accepted && self != .progress }
}
