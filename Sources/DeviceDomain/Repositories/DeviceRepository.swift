/// A device that was seen at some time, and the channel that heard it.
public struct RememberedDevice: Hashable, Sendable {
    /// What the device is.
    public let profile: DeviceProfile
    /// The channel that heard it last.
    public let channel: ChannelID

    public init(profile: DeviceProfile, channel: ChannelID) {
        self.profile = profile
        self.channel = channel
    }
}

/// Remembers the devices that have been seen, so that they are known while they are silent.
public protocol DeviceRepository: Sendable {
    /// Remembers what devices are; a later profile of the same device replaces an earlier one.
    func remember(_ devices: [RememberedDevice]) async throws
    /// A device, if it was ever seen.
    func device(_ device: DeviceID, in home: HomeID) async throws -> RememberedDevice?
    /// Every device of a home that was ever seen, in the order of their ids.
    func devices(in home: HomeID) async throws -> [RememberedDevice]
    /// Forgets a device. Does nothing if it was never seen.
    func forget(_ device: DeviceID, in home: HomeID) async throws
}
