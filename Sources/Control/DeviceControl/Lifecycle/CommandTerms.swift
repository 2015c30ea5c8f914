internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What holds for a command from first to last: what was wanted, by which channel, and until when.
struct CommandTerms: Hashable, Sendable {
    /// What was wanted.
    let intent: CommandIntent
    /// What the command's channel can report and promise.
    let traits: ChannelTraits
    /// When the time in which it may start ends, by the monotonic clock.
    let expiry: Duration

    /// - Parameter expiry: where that was measured before; `nil` measures it from `moment`, which is now.
    init(_ intent: CommandIntent, traits: ChannelTraits, expiry: Duration?, at moment: Moment) {
        self.intent = intent
        self.traits = traits
        // Not longer than when it was made, where the clock was put back since.
        self.expiry =
            expiry
            ?? min(
                moment.elapsed(at: intent.expiresAt),
                moment.elapsed + intent.expiresAt.since(intent.issuedAt))
    }

    /// Whether the time in which it may start has passed.
    func hasExpired(at moment: Moment) -> Bool { moment.elapsed >= expiry }

    /// When an action's device is asked unless it is heard; `nil` for other commands.
    func silence(after moment: Moment) -> Duration? {
        intent.sort == .action ? moment.elapsed + CommandLifecycle.longestSilence : nil
    }

    /// Whether anything is ever heard of a command that was sent.
    var isAnswered: Bool { !traits.isDisjoint(with: [.acceptance, .effect, .asking]) }

    /// Whether it is sent again until it is answered. That makes sense only where its answer is awaited and the
    /// device does not do it twice.
    var isRepeated: Bool { traits.isSuperset(of: [.acceptance, .deduplication]) }

    /// Whether the link can keep it for a device that is away.
    var canBeKept: Bool { traits.contains(.desired) && intent.desiredSettings != nil }

    /// What people are told when its time has passed without an answer.
    /// - Parameters:
    ///   - isKept: whether the link keeps it.
    ///   - failure: why the last send ended without a receipt; `nil` where one came.
    func missedAnswer(isKept: Bool, failure: String?) -> String {
        if isKept { return notAppliedYet }
        let missed =
            traits.contains(.acceptance)
            ? "the device did not answer in time"
            : failure == nil
                ? "the command was sent, but its effect was not seen in time"
                : "no effect of the command was seen in time"
        return missed + (failure.map { ": \($0)" } ?? "")
    }

    /// Why a command that the link keeps has no end yet.
    var notAppliedYet: String { "kept for \(intent.device), which has not applied it yet" }
}
