package import DeviceDomain
package import DeviceMessages

/// What a device remembers of one command (PROTOCOL section 3, rules 3 and 6).
package struct JournalEntry: Hashable, Sendable {
    /// The command.
    package let command: CommandKey
    /// Its bytes, as they came: only the same bytes are the same command.
    package let payload: [UInt8]
    /// Whether it came on the urgent lane.
    package let isUrgent: Bool
    /// How often the effect was started.
    package internal(set) var executions: Int
    /// The latest ack; what a replay repeats.
    package internal(set) var ack: AckMessage
    /// Whether the broker has confirmed the final ack.
    package internal(set) var isConfirmed: Bool
    /// The entry may be evicted once the wire clock is past this.
    package let expiry: Timestamp

    package init(
        command: CommandKey, payload: [UInt8], isUrgent: Bool, executions: Int = 0,
        ack: AckMessage, isConfirmed: Bool = false, expiry: Timestamp
    ) {
        self.command = command
        self.payload = payload
        self.isUrgent = isUrgent
        self.executions = executions
        self.ack = ack
        self.isConfirmed = isConfirmed
        self.expiry = expiry
    }

    /// Whether the command has ended.
    package var isFinished: Bool { ack.isFinal }
}
