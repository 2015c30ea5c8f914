package import Connectivity
package import DeviceDomain
internal import DeviceMessages

/// The state machine of one command: it takes events and returns actions (PROTOCOL section 4).
///
/// It reads no clock and does no work. Its owner feeds it events with the moment of each, writes a
/// changed ``progress`` into the ledger, then does the actions in order, gives it its ``place`` in line,
/// and wakes it at ``nextWake``. When its turn has come, ``takeTurn(at:)`` says whether it is sent. It relies
/// only on the channel's traits.
package struct CommandLifecycle: Hashable, Sendable {
    /// How long an action may be silent before its device is asked (PROTOCOL section 4).
    package static let longestSilence = Duration.seconds(60)

    /// What holds for it from first to last.
    let terms: CommandTerms
    /// What is known of its outcome, as the ledger keeps it.
    package internal(set) var progress: CommandProgress

    var phase: LifecyclePhase { didSet { progress.state = phase.state } }
    var reach = Reach.linkDown("")
    var resends: ResendSchedule
    /// The highest revision of the device's state that was seen.
    var seenRevision: Int?
    /// The later command that contradicts this one; since then it is not sent again.
    var overruling: CommandName?
    /// Why the last send ended without a receipt; `nil` where one came.
    var lastFailure: String?
    /// Whether every report of the device since the command was written for it was heard.
    var hearsSinceWrite = false

    /// A command that was just made, or one from the ledger.
    /// - Parameters:
    ///   - progress: its recorded progress; `nil` for a new one.
    ///   - seenRevision: the revision of the device's state, if it is known.
    ///   - expiry: when the time in which it may start ends, where that was measured before; `nil` measures
    ///     it from `moment`, which is now.
    ///   - seed: of the scatter of its resends.
    package init(
        _ intent: CommandIntent, traits: ChannelTraits, progress: CommandProgress? = nil,
        seenRevision: Int? = nil, expiry: Duration? = nil, at moment: Moment, seed: UInt64
    ) {
        terms = CommandTerms(intent, traits: traits, expiry: expiry, at: moment)
        self.seenRevision = seenRevision
        let known =
            progress ?? CommandProgress(timings: CommandTimings(createdAt: intent.issuedAt))
        self.progress = known
        phase = LifecyclePhase(recorded: known)
        resends = ResendSchedule(seed: seed)
    }

    /// What was wanted.
    package var intent: CommandIntent { terms.intent }

    /// What the command's channel can report and promise.
    package var traits: ChannelTraits { terms.traits }

    /// Where the command stands.
    package var state: CommandState { phase.state }

    /// Whether the effect of a success was seen in the device's own state.
    package var isObserved: Bool { progress.timings.observedAt != nil }

    /// Whether its effect may still be seen. A dry run has none.
    package var awaitsEffect: Bool { !isObserved && !intent.isDryRun }

    /// Whether it does nothing but wait for a way to its device: one that is made of its record goes on
    /// as this one would.
    var onlyWaits: Bool {
        phase == .queued(retryAt: nil) && reach != .reachable && !progress.mayHaveLeft && !isKept
    }

    /// Where it waits for its turn to be sent. What is ready must be in the ledger before it gets a turn.
    package var place: QueuePlace { phase.place }

    /// Whether something was sent or asked, or is about to be, that has no answer yet.
    package var isAnswerDue: Bool {
        switch phase {
        case .asking(_, .asked), .sending, .storing: true
        case .asking(_, .wanted), .sent:
            reach == .reachable && terms.isAnswered && !progress.isClosed
        // It has its turn soon.
        case .queued: reach == .reachable
        case .created, .accepted, .running, .unknown, .ended: false
        }
    }

    /// When the next ``LifecycleEvent/wake`` is due by the monotonic clock; `nil` for never.
    package var nextWake: Duration? {
        let waitsForExpiry = !progress.isClosed && phase.expectation(of: intent.sort) != nil
        return [waitsForExpiry ? terms.expiry : nil, phase.timer].compactMap(\.self).min()
    }

    /// Takes in an event.
    /// - Returns: what the owner must do, in this order, once the progress is in the ledger.
    package mutating func handle(_ event: LifecycleEvent, at moment: Moment) -> [LifecycleAction] {
        if case .withdrawn(let progress) = event {
            // The ledger has written it down already.
            if progress.step > self.progress.step { yield(to: progress) }
            return []
        }
        let before = progress
        let actions = react(to: event, at: moment)
        if awaitsEffect, progress.isEffect(in: seenRevision) {
            progress.timings.observedAt = moment.wall
        }
        if progress != before { progress.step += 1 }
        return actions
    }

    /// What the ledger's log says of an event that was just handled.
    /// - Parameter before: the progress before the event.
    package func log(
        of event: LifecycleEvent, since before: CommandProgress, at moment: Moment
    ) -> [LedgerEvent] {
        LifecycleLog(event: event, intent: intent, before: before, after: progress)
            .entries(at: moment.wall)
    }

    private mutating func react(to event: LifecycleEvent, at moment: Moment) -> [LifecycleAction] {
        switch event {
        case .enqueued(let reach): enqueued(reach, at: moment)
        case .adopted(let reach): adopted(reach, at: moment)
        case .reach(let reach): reachChanged(to: reach, at: moment)
        case .overruled(let later): overruled(by: later, at: moment)
        case .withdrawn: []
        case .settings(let reading): found(reading, at: moment)
        case .applied(let settings): reported(settings, at: moment)
        case .sendEnded(let result): sendEnded(result, at: moment)
        case .evidence(let evidence): told(by: evidence, isAnswer: false, at: moment)
        case .boot(let boot): seen(in: boot)
        case .state(let revision): seen(revision: revision)
        case .answer(let answer): answered(answer, at: moment)
        case .wake: woken(at: moment)
        }
    }

    /// Another process was faster: its progress holds. That process sends and asks.
    package mutating func yield(to winner: CommandProgress) {
        progress = winner
        phase = LifecyclePhase(recorded: winner)
        if case .queued = phase { phase = .asking(.queued, .wanted(at: nil)) }
    }

    // MARK: Ends

    /// Ends the command for good.
    mutating func end(
        _ ending: LifecyclePhase.Ending, _ code: AckCode, _ message: String, at moment: Moment
    ) {
        phase = .ended(ending)
        progress.end(code, message, at: moment.wall)
    }

    /// Sets `unknown`, with what is known of the reason.
    mutating func loseTrack(_ message: String) {
        guard state != .unknown else { return }
        progress.message = message
        phase.loseTrack(canAsk: traits.contains(.asking))
    }
}
