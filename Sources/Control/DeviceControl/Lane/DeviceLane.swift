internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// All that concerns the commands of one device over one channel: the conversation with it, which command
/// leaves next, what it must be asked, and what waits for it.
///
/// It belongs to one ``CommandInvoker``, as all that it refers to.
final class DeviceLane {
    let id: ConversationID
    let followed: FollowedCommands
    let traffic: ChannelTraffic
    var conversation: DeviceConversation
    /// The commands that are followed.
    var commands: [CommandID: TrackedCommand] = [:]
    /// Those of them that wait to be sent.
    var queue = CommandQueue()
    /// The commands that wait in the ledger alone.
    var stored = StoredCommands()
    /// How those are looked after.
    var storing = Storing()
    /// The commands that the device must be asked about.
    var questions = QuestionList()
    /// The commands for which the settings that the link keeps must be read; one at a time, because
    /// each is written on top of the one before.
    var settings = QuestionList()

    init(
        _ id: ConversationID, _ conversation: DeviceConversation, over traffic: ChannelTraffic,
        followed: FollowedCommands
    ) {
        self.id = id
        self.conversation = conversation
        self.traffic = traffic
        self.followed = followed
    }

    /// How the stored commands of a device are looked after.
    struct Storing {
        /// What they were told of the way to the device; `nil` where not all of them know.
        var toldReach: Reach?
        /// Whether some of them are about to be followed again.
        var isRecalling = false
        /// When the earliest of them is woken.
        var armed: Duration?
    }

    /// Whether commands can reach the device now.
    var reach: Reach { conversation.reach(over: traffic.link) }

    /// How many commands wait to be sent.
    var waitingCount: Int { queue.count + stored.count }

    /// Whether a command waits for a way to the device.
    var hasWaiting: Bool {
        !stored.isEmpty || commands.values.contains { $0.lifecycle.place == .waiting }
    }

    /// The commands that have not ended, in the order of acceptance.
    var openCommands: [TrackedCommand] {
        commands.values.filter { !$0.lifecycle.state.isFinal }
            .sorted { ($0.sequence ?? .max) < ($1.sequence ?? .max) }
    }

    /// The earlier commands that may still be sent although a later one contradicts them. What is just being
    /// accepted, with the later one, is sent before it.
    func commands(contradictedBy later: CommandRecord) -> [TrackedCommand] {
        openCommands.filter { earlier in
            guard let sequence = earlier.sequence, earlier.isAccepted else { return false }
            return sequence < later.prepared.sequence
                && later.intent.supersedes(earlier.lifecycle.intent)
        }
    }

    // MARK: The queue

    /// Tells the queue where a command stands, whose progress is in the ledger.
    func updateQueuePlace(of command: TrackedCommand) {
        let place = command.lifecycle.place
        if place == .waiting { followed.followWithdrawals() }
        setQueuePlace(place, of: command)
    }

    /// Gives a command its place in the queue.
    func setQueuePlace(_ place: QueuePlace, of command: TrackedCommand) {
        guard let sequence = command.sequence else { return }
        handleQueueEvent(
            .placed(command.id, sequence: sequence, place), in: command.lifecycle.intent.lane)
    }

    /// Tells the queue what happens in a lane, and begins to send what has its turn.
    func handleQueueEvent(_ event: CommandQueue.Event, in lane: CommandLane) {
        for action in queue.handle(event, in: lane) { begin(action) }
        recallIfDue()
    }

    /// Begins to send what has its turn.
    func begin(_ action: CommandQueue.Action) {
        switch action {
        case .turn(let command, let lane):
            followed.work.enqueue(.send(id, lane, first: command))
        }
    }
}
