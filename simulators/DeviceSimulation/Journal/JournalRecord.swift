package import DeviceDomain
package import DeviceMessages

/// One fact that a device keeps across restarts; ``DeviceJournalState`` is the fold of them.
package enum JournalRecord: Hashable, Sendable {
    /// A command was accepted, or answered with a final ack alone: its entry begins.
    case entered(JournalEntry)
    /// The effect of a command was started, so many times by now.
    case started(CommandKey, executions: Int)
    /// A command sent a further ack that is not final.
    case progressed(CommandKey, AckMessage)
    /// Commands ended, in one transaction with the state that contains their effect.
    case finished([FinishedCommand], RecordedState?)
    /// The broker confirmed the final ack of a command.
    case confirmed(CommandKey)
    /// Entries reached the end of their life.
    case evicted([CommandKey])
    /// The controller was told that these commands never came: they are refused from now on.
    case promised(ControllerID, [CommandID], at: Timestamp)
    /// Promises reached the end of their life.
    case released(ControllerID, [CommandID])
    /// A setting of a controller was applied with this sequence number.
    case sequenced(SequenceKey, Int)
    /// The controlled state changed by a local cause.
    case state(RecordedState)
    /// The parts of the simulated world that survive besides the state, as ``DeviceBehaviour/memory`` writes them.
    case memory([UInt8])
    /// The claim by which the device came into its home was committed: it stays there.
    case committed(ClaimNonce)
    /// The record of commands that were created before this is lost, or was never kept.
    case lost(before: Timestamp)
}

/// The end of a command, as it is recorded.
package struct FinishedCommand: Hashable, Sendable {
    /// The command.
    package let command: CommandKey
    /// Its final ack.
    package let ack: AckMessage

    package init(_ command: CommandKey, _ ack: AckMessage) {
        self.command = command
        self.ack = ack
    }
}

/// A revision of the controlled state.
package struct RecordedState: Hashable, Sendable {
    /// Rises by one with every change, across boots.
    package let revision: Int
    /// The controlled members.
    package let controlled: JSONObject
    /// The command that caused the change; `nil` for a local cause.
    package let by: CommandID?
    /// When the change happened (world clock).
    package let at: Timestamp

    package init(revision: Int, controlled: JSONObject, by: CommandID?, at: Timestamp) {
        self.revision = revision
        self.controlled = controlled
        self.by = by
        self.at = at
    }
}

/// The order in which a setting takes effect is kept per setting and controller.
package struct SequenceKey: Hashable, Sendable {
    /// The setting.
    package let setting: CommandName
    /// Who sets it.
    package let controller: ControllerID

    package init(setting: CommandName, controller: ControllerID) {
        self.setting = setting
        self.controller = controller
    }
}
