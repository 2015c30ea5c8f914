public import DeviceDomain

/// A part of a home that somebody wants to hear.
public enum HomeScope: Hashable, Sendable {
    /// Every device, known or not.
    case everyDevice
    /// These devices only.
    case devices(Set<DeviceID>)

    /// One device only.
    public static func device(_ device: DeviceID) -> HomeScope { .devices([device]) }

    /// Whether a device belongs to the part.
    public func contains(_ device: DeviceID) -> Bool {
        switch self {
        case .everyDevice: true
        case .devices(let devices): devices.contains(device)
        }
    }

    /// The smallest part that holds both.
    public func union(_ other: HomeScope) -> HomeScope {
        switch (self, other) {
        case (.devices(let mine), .devices(let others)): .devices(mine.union(others))
        case (.everyDevice, _), (_, .everyDevice): .everyDevice
        }
    }
}
