internal import Connectivity
public import DeviceControl
public import DeviceDomain

/// How far a command has come. That it was asked for, delivered, accepted, and done, and that nobody
/// knows, are five different things.
public struct CommandTimeline: Hashable, Sendable {
    /// A point on the way of a command.
    public enum Point: Hashable, Sendable, CaseIterable {
        /// The user has asked for it, and it is stored.
        case asked
        /// The link has taken charge of it.
        case delivered
        /// The device has accepted it.
        case accepted
        /// It has ended: see the ending.
        case ended
        /// Its effect was seen in the device's own state.
        case effectSeen
    }

    /// Whether a command has come to a point.
    public enum Standing: Hashable, Sendable {
        /// It has, at this moment (wire clock) where that is known.
        case reached(at: Timestamp?)
        /// It is on its way there.
        case next
        /// It has not, and may never.
        case open
        /// It ended before, and will never.
        case skipped
        /// Nobody knows.
        case doubtful
    }

    /// One point, and whether the command has come there.
    public struct Stage: Hashable, Sendable {
        /// The point.
        public let point: Point
        /// Whether the command has come there.
        public let standing: Standing
    }

    /// The points in their order.
    public let stages: [Stage]
    /// How it ended, or that this is unknown; `nil` while it is open.
    public let ending: CommandOutcome?
    /// Why it is where it is, in the words of the device or the protocol; may be empty.
    public let reason: String
    /// The same as a value.
    public let cause: CommandReason

    public init(_ record: CommandRecord) {
        self.init(record.progress, isDryRun: record.intent.isDryRun)
    }

    init(_ progress: CommandProgress, isDryRun: Bool = false) {
        let (timings, state) = (progress.timings, progress.state)
        let delivered = timings.sentAt
        let accepted = timings.acceptedAt
        stages = [
            Stage(point: .asked, standing: .reached(at: timings.createdAt)),
            Stage(
                point: .delivered,
                standing: Self.standing(delivered, isNext: true, state)),
            Stage(
                point: .accepted,
                standing: progress.isWithoutEvidence
                    ? .skipped : Self.standing(accepted, isNext: delivered != nil, state)),
            Stage(
                point: .ended,
                standing: progress.isWithoutEvidence ? .skipped : Self.end(timings, state)),
            Stage(
                point: .effectSeen,
                standing: timings.observedAt.map { .reached(at: $0) }
                    ?? (isDryRun || progress.isWithoutEvidence
                        || state.isFinal && state != .succeeded ? .skipped : .open)),
        ]
        ending = CommandOutcome(state)
        reason = progress.message
        cause = CommandReason(progress)
    }

    private static func standing(
        _ moment: Timestamp?, isNext: Bool, _ state: CommandState
    ) -> Standing {
        if let moment { return .reached(at: moment) }
        switch state {
        case .unknown: return .doubtful
        case .created, .queued, .sending, .sent, .accepted, .running:
            return isNext ? .next : .open
        case .succeeded: return .reached(at: nil)
        case .failed, .rejected, .cancelled, .superseded, .refused, .expired: return .skipped
        }
    }

    private static func end(_ timings: CommandTimings, _ state: CommandState) -> Standing {
        switch state {
        case .created, .queued, .sending, .sent: .open
        case .accepted, .running: .next
        case .succeeded, .failed, .rejected, .cancelled, .superseded, .refused, .expired:
            .reached(at: timings.finalAt)
        case .unknown: .doubtful
        }
    }
}

extension CommandProgress {
    /// Whether it ended when the link had it: nothing can show whether it took effect (PROTOCOL section 4).
    var isWithoutEvidence: Bool { state == .sent && isClosed }
}
