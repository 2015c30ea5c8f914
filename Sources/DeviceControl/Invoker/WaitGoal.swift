/// What a caller waits for.
public enum WaitGoal: String, Hashable, Sendable, CaseIterable {
    /// The device has accepted the command, or it has ended.
    case accepted
    /// It has ended, or nobody knows.
    case final
    /// Its effect was seen in the device's own state, or it has ended without one.
    case observed
    /// Nothing is due from the device or the link at this moment: it has answered, or it is away.
    case noAnswerDue

    /// How long to wait for the state after the final ack if nothing says otherwise.
    public static let usualObservation = Duration.seconds(10)

    func isReached(by lifecycle: CommandLifecycle) -> Bool {
        let state = lifecycle.state
        switch self {
        case .accepted: return state.isUnderWay || state.isSettled
        case .final: return state.isSettled
        case .observed:
            return state == .succeeded ? lifecycle.isObserved : state.isSettled
        case .noAnswerDue: return !lifecycle.isAnswerDue
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

    public init(record: CommandRecord, isReached: Bool) {
        self.record = record
        self.isReached = isReached
    }
}
