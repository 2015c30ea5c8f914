internal import DeviceDomain
internal import DeviceMessages

/// The fate of one command as a value: an event goes in, actions come out (PROTOCOL section 4).
///
/// It reads no clock and does no work. Its owner feeds it events with the moment of each, does
/// the actions in order, and wakes it at ``nextWake``.
public struct CommandLifecycle: Hashable, Sendable {
    /// How long an action may be silent before its device is asked (PROTOCOL section 4).
    public static let longestSilence = Duration.seconds(60)

    /// Whether the device must be asked.
    enum Inquiry: Hashable, Sendable {
        /// No.
        case none
        /// Yes, as soon as it can be reached.
        case wanted
        /// It was asked; the answer is awaited.
        case asked
    }

    /// What was wanted.
    public let intent: CommandIntent
    /// What is known of its fate.
    public internal(set) var progress: CommandProgress
    /// The highest revision of the device's state that was seen.
    public internal(set) var seenRevision: Int?

    var reach = Reach.linkDown
    var inquiry = Inquiry.none
    var isHandedOver = false
    var isSendable = true
    var resends: ResendSchedule
    let expiry: Duration
    var resendAt: Duration?
    var silentAt: Duration?

    /// A command that was just made, or one from the ledger.
    /// - Parameters:
    ///   - progress: its recorded progress; `nil` for a new one.
    ///   - moment: now; the time until expiry is measured from here.
    ///   - seed: of the scatter of its resends.
    public init(
        _ intent: CommandIntent, progress: CommandProgress? = nil, at moment: Moment, seed: UInt64
    ) {
        self.intent = intent
        self.progress =
            progress
            ?? CommandProgress(timings: CommandTimings(createdAt: intent.issuedAt))
        expiry = moment.elapsed(at: intent.expiresAt)
        resends = ResendSchedule(seed: seed)
    }

    /// Where the command stands.
    public var state: CommandState { progress.state }

    /// Whether the effect of a success was seen in the device's own state.
    public var isObserved: Bool {
        guard state == .succeeded, let revision = progress.revision, let seenRevision else {
            return false
        }
        return seenRevision >= revision
    }

    /// Whether something was sent or asked, or is about to be, that has no answer yet.
    var isAnswerDue: Bool {
        switch inquiry {
        case .asked: true
        case .wanted: reach == .reachable && !state.isFinal
        case .none: state == .sending || state == .sent
        }
    }

    /// When the next ``LifecycleEvent/wake`` is due by the monotonic clock; `nil` for never.
    public var nextWake: Duration? {
        [waitsForExpiry ? expiry : nil, resendAt, silentAt].compactMap(\.self).min()
    }

    private var waitsForExpiry: Bool {
        switch state {
        case .created, .queued, .sending, .sent: inquiry != .asked
        case .accepted, .running: intent.sort != .action && inquiry != .asked
        case .succeeded, .failed, .rejected, .cancelled, .superseded, .refused, .expired, .unknown:
            false
        }
    }

    /// Takes in an event.
    /// - Returns: what the owner must do, in this order.
    public mutating func handle(_ event: LifecycleEvent, at moment: Moment) -> [LifecycleAction] {
        let before = progress
        var actions: [LifecycleAction]
        switch event {
        case .enqueued(let reach): actions = enqueued(reach, at: moment)
        case .adopted(let reach): actions = adopted(reach, at: moment)
        case .reach(let reach): actions = reachChanged(to: reach, at: moment)
        case .sendEnded(let result): actions = sendEnded(result, at: moment)
        case .ack(let ack): actions = acknowledged(by: ack, isAnswer: false, at: moment)
        case .boot(let boot): actions = seen(in: boot)
        case .state(let revision): actions = seen(revision: revision)
        case .answer(let answer): actions = answered(answer, at: moment)
        case .wake: actions = woken(at: moment)
        case .abandoned: actions = abandoned(at: moment)
        }
        if progress != before {
            progress.step += 1
            actions.insert(.record, at: 0)
        }
        return actions
    }

    /// Another process was faster: its progress holds.
    mutating func yield(to winner: CommandProgress) {
        progress = winner
        if state.isSettled { settle() }
    }

    /// Whether the time in which it may start has passed.
    func hasExpired(at moment: Moment) -> Bool { moment.elapsed >= expiry }
}
