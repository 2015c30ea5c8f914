/// What becomes of the acks of a device.
enum AckPassage: Hashable, Sendable {
    /// They leave at once.
    case open
    /// They leave so late.
    case late(Duration)
    /// None leaves.
    case closed
}

extension ActiveFaults {
    /// What the faults of a device do to its acks.
    var ackPassage: AckPassage {
        if self[.mute] != nil { return .closed }
        return self[.slow].map { .late($0.delay) } ?? .open
    }
}
