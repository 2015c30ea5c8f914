public import DeviceDomain
public import DeviceMessages

/// What a controller says to a device.
public enum OutgoingMessage: Hashable, Sendable {
    /// A command, or a resend of one.
    case command(OutgoingCommand)
    /// The request to announce itself.
    case hello(HelloMessage)
}

/// One send of a command.
public struct OutgoingCommand: Hashable, Sendable {
    /// The command.
    public let id: CommandID
    /// Who sends it, and whom the device acknowledges it to.
    public let controller: ControllerID
    /// The bytes of the ledger; every resend has the same ones.
    public let payload: [UInt8]
    /// The lane that the device declared for it.
    public let lane: CommandLane
    /// The moment until which it may start.
    public let expiresAt: Timestamp
    /// Which send this is, from 1.
    public let attempt: Int

    public init(
        id: CommandID, controller: ControllerID, payload: [UInt8], lane: CommandLane,
        expiresAt: Timestamp, attempt: Int
    ) {
        self.id = id
        self.controller = controller
        self.payload = payload
        self.lane = lane
        self.expiresAt = expiresAt
        self.attempt = attempt
    }
}

/// What the link said about a message that it took. It is never the device's word.
public enum DeliveryReceipt: Hashable, Sendable {
    /// The link has taken charge of it (MQTT: PUBACK).
    case confirmed
    /// The link works, but nobody listens there at present (MQTT 5: PUBACK 0x10).
    case noReceiver
    /// The link refused it for good (MQTT 5: PUBACK with an error; `.forbidden` for 0x87).
    case refused(AckCode, String)
}
