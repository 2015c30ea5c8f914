internal import Connectivity
internal import DeviceDomain

/// What a caller waits for.
public enum WaitGoal: String, Hashable, Sendable, CaseIterable {
    /// The link has confirmed the command, or something later is known.
    case delivered
    /// The device has accepted the command, or it has ended. On a channel without the trait
    /// `acceptance` only an end is known.
    case accepted
    /// It has ended, its outcome is unknown, or it was sent and nothing can show its effect.
    case final
    /// It has ended. Unlike ``final``, a late answer to a command whose outcome is unknown is
    /// waited for.
    case certain
    /// Its effect was seen in the device's own state, or it has ended without one.
    case observed
    /// Nothing is due from the device or the link at this moment: it has answered, or it is away.
    case noAnswerDue

    /// How long to wait for the state after the final acknowledgement if nothing says otherwise.
    public static let usualObservation = Duration.seconds(10)

    /// Whether a command that this process follows has come so far.
    func isReached(by lifecycle: CommandLifecycle) -> Bool {
        self == .noAnswerDue
            ? !lifecycle.isAnswerDue : isReached(by: lifecycle.progress, of: lifecycle.intent)
    }

    /// Whether a command has come so far by its record.
    func isReached(by progress: CommandProgress, of intent: CommandIntent) -> Bool {
        let state = progress.state
        switch self {
        case .delivered:
            return progress.isSettled || state.isUnderWay || progress.timings.sentAt != nil
        case .accepted: return state.isUnderWay || progress.isSettled
        case .final: return progress.isSettled
        case .certain: return state.isFinal || progress.isClosed
        case .observed:
            return state == .succeeded && !intent.isDryRun
                ? progress.timings.observedAt != nil : progress.isSettled
        case .noAnswerDue: return true
        }
    }
}

/// What a wait came to.
public struct WaitResult: Hashable, Sendable {
    /// The command as it stands.
    public let record: CommandRecord
    /// Whether the wait ended because there is nothing to wait for any more; otherwise its time
    /// ran out and the command goes on.
    public let isReached: Bool
    /// Why the ledger does not have the record as it stands; `nil` where it does. Later processes
    /// know of the command what the ledger has, and ask its device.
    public let unrecorded: String?

    public init(record: CommandRecord, isReached: Bool, unrecorded: String? = nil) {
        self.record = record
        self.isReached = isReached
        self.unrecorded = unrecorded
    }
}

/// As `start-cleaning: accepted`, with the reason where there is one.
extension WaitResult: CustomStringConvertible {
    public var description: String {
        let progress = record.progress
        let reason = progress.message.isEmpty ? "" : " (\(progress.message))"
        let end = isReached ? "" : "; the wait has ended"
        return "\(record.intent.name.rawValue): \(progress.state.rawValue)\(reason)\(end)"
    }
}
