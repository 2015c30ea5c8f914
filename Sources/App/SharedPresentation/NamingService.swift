public import DeviceDomain

/// What a user calls devices and rooms, as view models need it. It is kept with the home and never sent to a device.
public protocol NamingService: Sendable {
    /// The rooms, and what was said of each device. It needs no connection.
    func labels() async throws(Failure) -> HomeLabels
    /// Names a device; `nil` takes the name back, so that the device's own counts again.
    func name(_ device: DeviceID, _ name: GivenName?) async throws(Failure)
    /// Puts a device into a room of the home; `nil` takes it out of its room.
    func move(_ device: DeviceID, toRoom room: String?) async throws(Failure)
    /// Adds a room.
    func addRoom(_ room: GivenName) async throws(Failure)
    /// Removes a room; its devices are in none then.
    func removeRoom(_ room: String) async throws(Failure)
}
