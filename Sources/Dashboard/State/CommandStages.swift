internal import DeviceControl
internal import DeviceDomain

/// How far a command has come: five points that say five different things.
struct CommandStages: Hashable, Sendable {
    /// A point on the way of a command.
    struct Stage: Hashable, Sendable {
        /// Whether it has come there.
        enum Standing: Hashable, Sendable {
            /// It has.
            case reached
            /// It is on its way there.
            case next
            /// It has not, and may never.
            case open
            /// It ended there, without the effect that was wanted.
            case failed
            /// Nobody knows.
            case doubt
        }

        let name: Phrase
        let standing: Standing
        /// When it came there, if that is known.
        let at: Timestamp?
    }

    /// Asked, delivered, accepted, and how it ended.
    let stages: [Stage]

    init(_ record: CommandRecord) {
        let (timings, state) = (record.progress.timings, record.state)
        var stages = [
            Stage(name: .asked, standing: .reached, at: timings.createdAt),
            Self.stage(.delivered, timings.sentAt, isNext: true, state),
            Self.stage(.accepted, timings.acceptedAt, isNext: timings.sentAt != nil, state),
        ]
        stages.append(Self.end(timings, state))
        if state.isFinal, timings.observedAt != nil {
            stages.append(Stage(name: .effectSeen, standing: .reached, at: timings.observedAt))
        }
        self.stages = stages
    }

    private static func stage(
        _ name: Phrase, _ moment: Timestamp?, isNext: Bool, _ state: CommandState
    ) -> Stage {
        if moment != nil { return Stage(name: name, standing: .reached, at: moment) }
        return Stage(name: name, standing: isNext && !state.isSettled ? .next : .open, at: nil)
    }

    private static func end(_ timings: CommandTimings, _ state: CommandState) -> Stage {
        switch state {
        case .created, .queued, .sending, .sent: Stage(name: .done, standing: .open, at: nil)
        case .accepted, .running: Stage(name: .done, standing: .next, at: nil)
        case .succeeded: Stage(name: .done, standing: .reached, at: timings.finalAt)
        case .failed: Stage(name: .failed, standing: .failed, at: timings.finalAt)
        case .rejected: Stage(name: .rejected, standing: .failed, at: timings.finalAt)
        case .cancelled: Stage(name: .cancelled, standing: .failed, at: timings.finalAt)
        case .superseded: Stage(name: .superseded, standing: .failed, at: timings.finalAt)
        case .refused: Stage(name: .refused, standing: .failed, at: timings.finalAt)
        case .expired: Stage(name: .expired, standing: .failed, at: timings.finalAt)
        case .unknown: Stage(name: .outcomeUnknown, standing: .doubt, at: nil)
        }
    }
}
