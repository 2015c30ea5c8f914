/// Remembers the devices that have been seen, so that they are known while they are silent.
public protocol DeviceRepository: Sendable {
    /// Remembers what a device is; a later profile of the same device replaces an earlier one.
    func remember(_ profile: DeviceProfile) async throws
    /// The profile of a device, if it was ever seen.
    func profile(of device: DeviceID, in home: HomeID) async throws -> DeviceProfile?
    /// Every device of a home that was ever seen, in the order of their ids.
    func profiles(in home: HomeID) async throws -> [DeviceProfile]
}
