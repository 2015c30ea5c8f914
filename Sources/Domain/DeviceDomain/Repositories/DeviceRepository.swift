/// A known device, and the channel that it was last seen on.
public struct RememberedDevice: Hashable, Sendable {
    /// The profile of the device.
    public let profile: DeviceProfile
    /// The channel that it was last seen on.
    public let channel: ChannelID
    /// When a message of it was last received (wire clock); `nil` where that was not stored.
    public let heardAt: Timestamp?

    public init(profile: DeviceProfile, channel: ChannelID, heardAt: Timestamp? = nil) {
        self.profile = profile
        self.channel = channel
        self.heardAt = heardAt
    }
}

/// Stores the devices that have been seen, so that they are known while they are offline.
public protocol DeviceRepository: Sendable {
    /// Stores device profiles; a later profile of the same device replaces an earlier one. When it was
    /// heard may be stored more coarsely than given, but never later.
    func remember(_ devices: [RememberedDevice]) async throws
    /// A device, if it was ever seen.
    func device(_ device: DeviceID, in home: HomeID) async throws -> RememberedDevice?
    /// Every device of a home that was ever seen, in the order of their ids.
    func devices(in home: HomeID) async throws -> [RememberedDevice]
    /// The ids of the devices of a home that were last seen on a channel.
    func identifiers(in home: HomeID, on channel: ChannelID) async throws -> Set<DeviceID>
    /// Removes a device. Does nothing if it was never seen.
    func forget(_ device: DeviceID, in home: HomeID) async throws
}

extension DeviceRepository {
    public func identifiers(
        in home: HomeID, on channel: ChannelID
    ) async throws -> Set<DeviceID> {
        Set(try await devices(in: home).filter { $0.channel == channel }.map(\.profile.id))
    }
}
