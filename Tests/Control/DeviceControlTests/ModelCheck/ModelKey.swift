import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

@testable import DeviceControl

/// What decides the future of a ``ModelWorld``: two worlds with one key behave alike.
///
/// Left out are texts, counts of sends, codes, which follow from the states, and times that are
/// only shown. Of steps only the relation to the ledger counts, and of a deadline only at which
/// moment of the clock it is noticed. What the queue holds follows from the commands' phases and
/// from what the link has.
struct ModelKey: Hashable, Sendable {
    private struct Progress: Hashable, Sendable {
        let state: CommandState
        let lastAck: Int
        let boot: BootID?
        let mayHaveLeft: Bool
        let isAccepted: Bool

        init(_ progress: CommandProgress) {
            state = progress.state
            lastAck = progress.lastAck
            boot = progress.boot
            mayHaveLeft = progress.mayHaveLeft
            isAccepted = progress.timings.acceptedAt != nil
        }
    }

    private struct Follower: Hashable, Sendable {
        let phase: LifecyclePhase
        let progress: Progress
        let isReachable: Bool
        let isOverruled: Bool
        let isAdopted: Bool
        let knownLag: Int
        let ownLag: Int

        init(
            _ follower: ModelController.Follower, _ ledger: CommandProgress?,
            _ instants: [Duration]
        ) {
            let lifecycle = follower.lifecycle
            phase = lifecycle.phase.noticed(at: instants)
            progress = Progress(lifecycle.progress)
            isReachable = lifecycle.reach == .reachable
            isOverruled = lifecycle.overruling != nil
            isAdopted = follower.isAdopted
            knownLag = (ledger?.step ?? 0) - follower.knownStep
            ownLag = (ledger?.step ?? 0) - lifecycle.progress.step
        }
    }

    private struct Controller: Hashable, Sendable {
        let followers: [Follower?]
        let questions: [ModelController.Question]
        let handovers: [ModelController.Handover]
        let unnoticed: [Bool]
    }

    private let elapsed: Duration
    private let controller: Controller?
    private let isLinkUp: Bool
    private let ledger: [Progress?]
    private let departures: [ModelDeparture]
    private let wire: [Int]
    private let device: ModelDevice
    private let isBootUnseen: Bool

    init(_ world: ModelWorld) {
        elapsed = world.elapsed
        controller = world.controller.map { controller in
            Controller(
                followers: zip(controller.followers, world.ledger).map { follower, ledger in
                    follower.map { Follower($0, ledger, world.scenario.instants) }
                },
                questions: controller.questions, handovers: controller.handovers,
                unnoticed: controller.unnoticed)
        }
        isLinkUp = world.isLinkUp
        ledger = world.ledger.map { $0.map(Progress.init) }
        departures = world.departures
        wire = world.wire
        device = world.device
        isBootUnseen = world.isBootUnseen
    }
}

extension LifecyclePhase {
    /// The same phase with each deadline at the moment of the clock at which it is noticed.
    fileprivate func noticed(at instants: [Duration]) -> LifecyclePhase {
        func noticed(_ due: Duration) -> Duration { instants.first { $0 >= due } ?? due }
        return switch self {
        case .queued(let at): .queued(retryAt: at.map(noticed))
        case .sending(.due(let at)): .sending(.due(at: noticed(at)))
        case .sent(.due(let at)): .sent(.due(at: noticed(at)))
        case .accepted(let at): .accepted(silentAt: at.map(noticed))
        case .running(let at): .running(silentAt: at.map(noticed))
        case .asking(let standing, .wanted(let at)): .asking(standing, .wanted(at: at.map(noticed)))
        case .created, .sending, .storing, .sent, .asking, .unknown, .ended: self
        }
    }
}
