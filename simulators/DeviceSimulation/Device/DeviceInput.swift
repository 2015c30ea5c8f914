package import DeviceDomain
package import DeviceMessages

/// Something that happens to a simulated device.
package enum DeviceInput: Hashable, Sendable {
    /// The subscriptions are confirmed: the device announces itself and publishes the final acks
    /// again that the broker has not confirmed.
    case connected
    /// The connection is gone.
    case disconnected
    /// A payload came on a command topic.
    case command(payload: [UInt8], retained: Bool, responseTopic: ResponseTopic?, lane: CommandLane)
    /// A message came on the device's own presence topic.
    case presence(PresenceMessage)
    /// The home was asked to announce itself.
    case hello(HelloMessage, retained: Bool)
    /// The desired document came; an empty payload means that there is none.
    case desired(payload: [UInt8])
    /// The broker confirmed a publish that carried this confirmation.
    case confirmed(Confirmation)
    /// The time has come that ``SimulatedDevice/nextWake`` named.
    case wake
    /// A fault happens to the device; it ends by itself once the world clock shows `until`.
    case inject(Fault, until: Timestamp?)
    /// A fault ends; `nil` for all that the device has.
    case clear(SimulatedFault?)
    /// A clean end: the device says that it goes offline.
    case shutDown
}
