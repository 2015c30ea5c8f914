import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

/// One process of the controller: what is lost when it is killed.
struct ModelController: Sendable {
    /// A command that the process follows.
    struct Follower: Sendable {
        var lifecycle: CommandLifecycle
        /// The step of its progress that the process knows to be in the ledger.
        var knownStep: Int
        /// Whether it was taken over already; until then it hears of the link only.
        var isAdopted: Bool
    }

    /// A command that the link has and has not answered.
    struct Handover: Hashable, Sendable {
        let command: Int
        let lane: ModelLane
        var hasLeft: Bool
        /// What was known of its departure before.
        let before: ModelDeparture
    }

    /// The state of a question about a command.
    enum Question: Hashable, Sendable {
        case none
        case asked
        /// The device has answered; `nil` stands for `never`.
        case answered(ModelAck?)
    }

    var followers: [Follower?] = [nil, nil]
    var questions: [Question] = [.none, .none]
    var outbox = CommandQueue()
    /// The command whose turn it is, by lane.
    var turns: [Int?] = [nil, nil]
    /// What the link has, in the order in which it got it: at most one command of each lane.
    var handovers: [Handover] = []
    /// Withdrawals in the ledger that the process has not noticed.
    var unnoticed = [false, false]

    /// What the link has of a lane.
    func handover(in lane: ModelLane) -> Handover? { handovers.first { $0.lane == lane } }
}

/// What is known of the departure of a command, apart from the controller's own view.
enum ModelDeparture: Hashable, Sendable {
    /// It never left.
    case never
    /// The living process may have sent it.
    case byThisProcess
    /// A process that is dead may have sent it.
    case byDeadProcess
}
