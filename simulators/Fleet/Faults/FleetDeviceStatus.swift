package import DeviceSimulation

/// A device of a fleet at one moment.
package struct FleetDeviceStatus: Hashable, Sendable {
    /// Its name across homes.
    package let key: DeviceKey
    /// Its kind, such as `sweeping-robot`.
    package let kind: String
    /// Whether its broker has accepted its connection.
    package let isOnline: Bool
    /// What it is doing, in a word.
    package let activity: String
    /// The faults that it has.
    package let faults: [ActiveFault]
}
