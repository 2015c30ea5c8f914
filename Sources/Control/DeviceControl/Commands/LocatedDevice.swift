public import DeviceDomain

/// A device, and the channel that heard it.
public struct LocatedDevice: Sendable {
    /// What is known of the device.
    public let device: any Device
    /// The channel that heard it, if one did.
    public let heardOn: ChannelID?

    public init(device: any Device, heardOn: ChannelID? = nil) {
        self.device = device
        self.heardOn = heardOn
    }
}
