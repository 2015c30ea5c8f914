internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What ``CommandInvoker/run()`` does beside itself. There is at most one of each kind for each
/// command, lane, channel or stream, so their number is bounded by what is tracked.
enum InvokerWork: Sendable {
    /// Listen to a device.
    case converse(ConversationID)
    /// Follow a channel's link.
    case watchLink(any CommunicationChannel)
    /// Send what has its turn in a lane, beginning with this command.
    case send(ConversationID, CommandLane, first: CommandID)
    /// Sleep, and find out which commands are due then.
    case sleep(until: Duration)
    /// Wake a command, or those of a device that are stored.
    case wake(Sleeper)
    /// Follow the next stored commands of a device.
    case recall(ConversationID)
    /// Handle the events that wait for a command.
    case handleEvents(of: CommandID)
    /// Query a device for the outcomes of commands.
    case ask(ConversationID)
    /// Read the settings that the link keeps for a device, and write what is to go into them.
    case keepSettings(ConversationID)
    /// Tell a stream the present record of a command.
    case present(CommandID, to: Int)
    /// Look for commands that were withdrawn.
    case followWithdrawals
    /// Read the commands that other processes send.
    case readOthers
}

/// What is woken at a time.
enum Sleeper: Sendable {
    /// A command that is followed.
    case command(CommandID)
    /// The commands of a conversation that are stored.
    indirect case stored(ConversationID)
}

extension InvokerWork {
    /// Whether it goes on for as long as the invoker runs.
    var isLasting: Bool {
        switch self {
        case .converse, .watchLink: true
        case .send, .sleep, .wake, .recall, .handleEvents, .ask, .keepSettings, .present,
            .followWithdrawals, .readOthers:
            false
        }
    }
}
