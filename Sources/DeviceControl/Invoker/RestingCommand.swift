internal import Connectivity
internal import DeviceDomain

/// A command that does nothing but wait for a way to its device, in a fraction of the room that a
/// ``TrackedCommand`` takes: 100,000 commands may wait for devices that are away.
///
/// It keeps what the command has of its own. A pattern has the rest, which is the same for many commands,
/// and the ledger has the bytes that will be sent.
final class RestingCommand {
    private let pattern: RestingPattern
    private let own: CommandLifecycle.Own
    private let sequence: Int

    /// - Returns: `nil` where the command differs from the pattern in more than its own.
    init?(_ command: TrackedCommand, of pattern: RestingPattern) {
        var own = command.lifecycle.own
        let shared = pattern.lifecycle.intent.arguments
        if own.arguments == shared { own.arguments = shared }
        guard command.channel == pattern.channel, let sequence = command.sequence,
            command.lifecycle == pattern.lifecycle.with(own)
        else { return nil }
        self.pattern = pattern
        self.own = own
        self.sequence = sequence
    }

    /// The command, without its bytes.
    var command: TrackedCommand {
        TrackedCommand(
            resting: pattern.lifecycle.with(own), conversation: pattern.conversation,
            channel: pattern.channel, sequence: sequence)
    }
}

/// A command whose likes wait for the same device.
final class RestingPattern {
    fileprivate let lifecycle: CommandLifecycle
    fileprivate let conversation: ConversationID
    fileprivate let channel: ChannelID

    /// - Returns: `nil` for a command that is not accepted or whose channel is not set up.
    init?(_ command: TrackedCommand) {
        guard let conversation = command.conversation, let channel = command.channel else {
            return nil
        }
        lifecycle = command.lifecycle
        self.conversation = conversation
        self.channel = channel
    }
}
