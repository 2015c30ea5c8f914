internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// Where a command stands, with what holds there only. What the ledger keeps of it is the
/// ``state``; timers and what is under way belong to one process.
enum LifecyclePhase: Hashable, Sendable {
    /// Made, not yet in the ledger.
    case created
    /// Waits for a way to the device; tried again at `retryAt` even if the way does not change.
    case queued(retryAt: Duration?)
    /// On its way to the link, or handed to a link that confirms nothing.
    case sending(Transmission)
    /// It is put into the settings that the link keeps for the device, which is away.
    case storing(Storing)
    /// The link has taken charge of it.
    case sent(Transmission)
    /// The device has accepted it; an action's device is asked if it is silent until then.
    case accepted(silentAt: Duration?)
    /// The device reports progress; an action's device is asked if it is silent until then.
    case running(silentAt: Duration?)
    /// The device is to be queried for the outcome. Nothing is sent meanwhile.
    case asking(Standing, Question)
    /// The outcome is unknown, and no query is due.
    case unknown
    /// It has ended.
    case ended(Ending)

    /// What happens to the bytes next.
    enum Transmission: Hashable, Sendable {
        /// They wait for their turn in the lane.
        case inLane
        /// The link has them and has not answered.
        case underWay
        /// They are sent again at this time.
        case due(at: Duration)
        /// They are sent again when the device can be reached.
        case paused
        /// They are not sent again.
        case over
    }

    /// How far a command is on its way into the settings that the link keeps.
    enum Storing: Hashable, Sendable {
        /// They are read first; nothing has left.
        case reading
        /// They are replaced by these.
        case writing(DesiredSettings)
        /// They were replaced by these, and are read back: another writer may have replaced them since.
        case confirming(DesiredSettings)
    }

    /// What is known of a command while its device is asked.
    enum Standing: Hashable, Sendable {
        /// It may have left; no receipt came.
        case queued
        /// The link has taken charge of it.
        case sent
        /// The device has accepted it.
        case accepted
        /// The device reports progress.
        case running
        /// Nobody knows.
        case unknown
    }

    /// The state of a status query.
    enum Question: Hashable, Sendable {
        /// To be asked when the device can be reached, and not before this time if there is one.
        case wanted(at: Duration?)
        /// Asked; the answer is awaited.
        case asked
    }

    /// How a command ends for good.
    enum Ending: Hashable, Sendable {
        case succeeded, failed, rejected, cancelled, superseded, refused, expired
    }

    /// What the ledger keeps of it.
    var state: CommandState {
        switch self {
        case .created: .created
        case .queued: .queued
        case .sending, .storing(.writing), .storing(.confirming): .sending
        case .storing(.reading): .queued
        case .sent: .sent
        case .accepted: .accepted
        case .running: .running
        case .asking(let standing, _): standing.state
        case .unknown: .unknown
        case .ended(let ending): ending.state
        }
    }

    /// Where it waits for its turn to be sent.
    var place: QueuePlace {
        switch self {
        case .created, .queued: .waiting
        case .sending(.inLane), .sent(.inLane): .ready
        case .sending, .storing, .sent, .accepted, .running, .asking, .unknown, .ended: .none
        }
    }

    /// What happens to the bytes of a command next that is sent; `nil` in other phases.
    var transmission: Transmission? {
        switch self {
        case .sending(let transmission), .sent(let transmission): transmission
        case .created, .queued, .storing, .accepted, .running, .asking, .unknown, .ended: nil
        }
    }

    /// Goes on with another transmission of a command that is sent; other phases stay as they are.
    mutating func transmit(_ next: Transmission) {
        switch self {
        case .sending: self = .sending(next)
        case .sent: self = .sent(next)
        case .created, .queued, .storing, .accepted, .running, .asking, .unknown, .ended: break
        }
    }

    /// The settings that the link is to keep now; `nil` if none.
    var settingsToWrite: DesiredSettings? {
        if case .storing(.writing(let settings)) = self { settings } else { nil }
    }

    /// The settings that were handed to the link and are read back; `nil` if none.
    var writtenSettings: DesiredSettings? {
        if case .storing(.confirming(let settings)) = self { settings } else { nil }
    }

    /// The state of the query; `nil` if none is due.
    var question: Question? {
        if case .asking(_, let question) = self { question } else { nil }
    }

    /// The outcome is unknown from now on. A question that could not be put yet is still put when the device
    /// can be reached.
    mutating func loseTrack(canAsk: Bool) {
        if canAsk, case .asking(_, .wanted(let at)) = self {
            self = .asking(.unknown, .wanted(at: at))
        } else {
            self = .unknown
        }
    }

    /// A command that is `unknown` after an answer is not queried again.
    mutating func endQuestion() {
        if case .asking(.unknown, _) = self { self = .unknown }
    }

    /// Whether the settings that the link keeps are read for it, before or after they are written.
    var readsSettings: Bool {
        switch self {
        case .storing(.reading), .storing(.confirming): true
        case .created, .queued, .sending, .storing(.writing), .sent, .accepted, .running, .asking,
            .unknown, .ended:
            false
        }
    }

    /// What is known of a command whose device may have it; `nil` in other phases.
    var standing: Standing? {
        switch self {
        case .accepted: .accepted
        case .running: .running
        case .sent: .sent
        case .asking(let standing, _): standing
        case .unknown: .unknown
        case .created, .queued, .sending, .storing, .ended: nil
        }
    }
}

// MARK: Deadlines

extension LifecyclePhase {
    /// What is due at a time of its own, apart from the command's expiry; `nil` if nothing is.
    var timer: Duration? {
        switch self {
        case .queued(let at), .asking(_, .wanted(let at)): at
        case .sending(.due(let at)), .sent(.due(let at)): at
        case .accepted(let at), .running(let at): at
        case .created, .sending, .storing, .sent, .asking, .unknown, .ended: nil
        }
    }

    /// What must have happened before the time passes in which a command may start.
    enum Expectation: Hashable, Sendable {
        /// It has been handed to the link.
        case leaving
        /// The device has answered, or its state shows the effect.
        case answer
        /// The device has reported the end.
        case end
    }

    /// What is missed in this phase when the time passes in which a command of this sort may start; `nil`
    /// if nothing is. An action may go on for longer.
    func expectation(of sort: CommandSort) -> Expectation? {
        switch self {
        case .created, .queued, .storing(.reading), .sending(.inLane): .leaving
        case .sending, .storing(.writing), .storing(.confirming), .sent: .answer
        case .asking(.queued, .wanted), .asking(.sent, .wanted): .answer
        case .accepted, .running, .asking(.accepted, .wanted), .asking(.running, .wanted):
            sort == .action ? nil : .end
        case .asking(.unknown, .wanted), .asking(_, .asked), .unknown, .ended: nil
        }
    }
}

extension LifecyclePhase.Transmission {
    /// What a changed reach makes of it.
    /// - Parameters:
    ///   - time: now, by the monotonic clock.
    ///   - resends: says when the bytes are sent again; it begins anew once the device can be reached again.
    func adapted(
        to reach: Reach, at time: Duration, with resends: inout ResendSchedule
    ) -> LifecyclePhase.Transmission {
        switch self {
        case .inLane, .due: return reach == .reachable ? self : .paused
        case .paused where reach == .reachable:
            resends.restart()
            return .due(at: time + resends.next())
        case .underWay, .paused, .over: return self
        }
    }
}

extension LifecyclePhase {
    /// The phase of a command as the ledger has it: nothing is under way and no timer runs. What may
    /// have left is not sent; its device is to be queried.
    init(recorded progress: CommandProgress) {
        switch progress.state {
        case .created: self = .created
        case .queued where progress.mayHaveLeft: self = .asking(.queued, .wanted(at: nil))
        case .queued: self = .queued(retryAt: nil)
        case .sending: self = .sending(.over)
        case .sent: self = .sent(.over)
        case .accepted: self = .accepted(silentAt: nil)
        case .running: self = .running(silentAt: nil)
        case .unknown: self = .unknown
        case .succeeded: self = .ended(.succeeded)
        case .failed: self = .ended(.failed)
        case .rejected: self = .ended(.rejected)
        case .cancelled: self = .ended(.cancelled)
        case .superseded: self = .ended(.superseded)
        case .refused: self = .ended(.refused)
        case .expired: self = .ended(.expired)
        }
    }
}

extension LifecyclePhase.Standing {
    /// The phase in which the command goes on without a question; `nil` where only an answer leads on.
    /// - Parameter silentAt: when a device that works on it is asked.
    func phase(silentAt: Duration?) -> LifecyclePhase? {
        switch self {
        case .sent: .sent(.over)
        case .accepted: .accepted(silentAt: silentAt)
        case .running: .running(silentAt: silentAt)
        case .queued, .unknown: nil
        }
    }

    var state: CommandState {
        switch self {
        case .queued: .queued
        case .sent: .sent
        case .accepted: .accepted
        case .running: .running
        case .unknown: .unknown
        }
    }
}

extension LifecyclePhase.Ending {
    var state: CommandState {
        switch self {
        case .succeeded: .succeeded
        case .failed: .failed
        case .rejected: .rejected
        case .cancelled: .cancelled
        case .superseded: .superseded
        case .refused: .refused
        case .expired: .expired
        }
    }

    /// The end that a stage stands for; `nil` for a stage that is not final.
    init?(_ stage: AckStage) {
        switch stage {
        case .accepted, .progress: return nil
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .rejected: self = .rejected
        case .expired: self = .expired
        case .cancelled: self = .cancelled
        case .superseded: self = .superseded
        }
    }
}
