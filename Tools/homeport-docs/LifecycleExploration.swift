import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

/// Every change of a command's state, found by handing every event to the lifecycle in every
/// situation that it can come into.
struct LifecycleExploration {
    /// One change of state and what causes it.
    struct Transition: Hashable {
        /// The state before.
        let from: CommandState
        /// The state after.
        let to: CommandState
        /// What happened, in words.
        let cause: String
    }

    /// A situation with the moment at which it holds.
    struct Situation {
        /// The command.
        var lifecycle: CommandLifecycle
        /// When it holds.
        var moment: Moment
        /// Whether the link has the command and has not answered.
        var isHandedOver = false
        /// Whether the device was asked and has not answered.
        var isAsked = false
    }

    /// What distinguishes two situations. Texts, counters and times do not.
    private struct Key: Hashable {
        let state: CommandState
        let place: QueuePlace
        let isAnswerDue: Bool
        let mayHaveLeft: Bool
        let isHeard: Bool
        let hasWake: Bool
        let isExpired: Bool
        let isHandedOver: Bool
        let isAsked: Bool
    }

    private static let start = Moment(
        wall: Timestamp(milliseconds: 1_764_000_000_000), elapsed: .zero)
    private static let lifetime = Duration.seconds(30)

    private var known: Set<Key> = []
    private var found: Set<Transition> = []

    /// The changes of every sort of command on a channel that has every trait.
    static func transitions() -> Set<Transition> {
        var exploration = LifecycleExploration()
        for sort in [CommandSort.action, .instant, .setting] { exploration.explore(sort) }
        return exploration.found
    }

    private mutating func explore(_ sort: CommandSort) {
        known = []
        guard let intent = LifecycleEvents.intent(sort, at: Self.start.wall, for: Self.lifetime)
        else { return }
        let first = Situation(
            lifecycle: CommandLifecycle(
                intent, traits: Set(ChannelTrait.allCases), at: Self.start, seed: 1),
            moment: Self.start)
        var open = [first]
        while let situation = open.popLast() {
            for cause in LifecycleEvents.causes(in: situation) {
                let next = meet(cause, in: situation)
                if known.insert(key(of: next)).inserted { open.append(next) }
            }
        }
    }

    private mutating func meet(_ cause: LifecycleEvents.Cause, in situation: Situation) -> Situation
    {
        var next = situation
        next.moment.elapsed += cause.delay
        next.moment.wall = next.moment.wall.advanced(by: cause.delay)
        if cause.isAfterRestart { next.restart() }
        next.meet(cause.event(next.lifecycle.progress))
        let (from, to) = (situation.lifecycle.state, next.lifecycle.state)
        if from != to { found.insert(Transition(from: from, to: to, cause: cause.name)) }
        return next
    }

    private func key(of situation: Situation) -> Key {
        let (lifecycle, progress) = (situation.lifecycle, situation.lifecycle.progress)
        return Key(
            state: lifecycle.state, place: lifecycle.place, isAnswerDue: lifecycle.isAnswerDue,
            mayHaveLeft: progress.mayHaveLeft, isHeard: progress.lastAck > 0,
            hasWake: lifecycle.nextWake != nil,
            isExpired: situation.moment.elapsed >= Self.lifetime,
            isHandedOver: situation.isHandedOver, isAsked: situation.isAsked)
    }
}

extension LifecycleExploration.Situation {
    /// Another process has read the command from the ledger.
    fileprivate mutating func restart() {
        self = LifecycleExploration.Situation(
            lifecycle: CommandLifecycle(
                lifecycle.intent, traits: lifecycle.traits, progress: lifecycle.progress,
                at: moment, seed: 1),
            moment: moment)
    }

    fileprivate mutating func meet(_ event: LifecycleEvent?) {
        guard let event else {
            if lifecycle.takeTurn(at: moment) != nil { isHandedOver = true }
            return
        }
        switch event {
        case .sendEnded: isHandedOver = false
        case .answer: isAsked = false
        case .enqueued, .adopted, .reach, .overruled, .withdrawn, .settings, .applied,
            .evidence, .boot, .state, .wake:
            break
        }
        for action in lifecycle.handle(event, at: moment) {
            switch action {
            case .ask: isAsked = true
            case .readSettings, .report: break
            }
        }
    }
}
