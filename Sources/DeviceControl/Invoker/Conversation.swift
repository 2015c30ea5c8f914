internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The invoker's side of its talk with one device.
struct Conversation {
    /// How far the listening is.
    enum Phase: Hashable {
        /// The first attempt is under way.
        case starting
        /// It cannot listen at present; it goes on trying.
        case failing
        /// Acks reach the invoker.
        case listening
        /// It ended.
        case ended
    }

    let communicator: DeviceCommunicator
    var phase = Phase.starting
    var connection: ConnectionState
    /// The highest revision of the device's state that was seen.
    var revision: Int?
    /// Whether nothing at all was heard of the device, so that its silence proves nothing.
    var awaitsPresence: Bool
    var outboxes: [CommandLane: [OutgoingCommand]] = [:]
    var sendingLanes: Set<CommandLane> = []
    /// Commands that the device must be asked about.
    var questions: [CommandID] = []
    var isInquiring = false
    /// Callers that wait for the end of the first attempt.
    var starters: [CheckedContinuation<Void, Never>] = []

    init(communicator: DeviceCommunicator, awaitsPresence: Bool) {
        self.communicator = communicator
        connection = communicator.device.report.connection
        revision = communicator.device.report.revision
        self.awaitsPresence = awaitsPresence
    }

    func reach(linkWorks: Bool) -> Reach {
        switch connection {
        case .offline: return .offline
        case .unknown where awaitsPresence: return .offline
        case .unknown, .online: break
        }
        return linkWorks && phase == .listening ? .reachable : .linkDown
    }
}
