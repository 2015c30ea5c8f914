public import DeviceDomain

/// A part of a home to observe.
public enum HomeScope: Hashable, Sendable {
    /// Every device, known or not.
    case everyDevice
    /// Every device, known or not, without the samples of telemetry.
    case everyDeviceWithoutTelemetry
    /// These devices only.
    case devices(Set<DeviceID>)

    /// One device only.
    public static func device(_ device: DeviceID) -> HomeScope { .devices([device]) }

    /// Whether it is the whole home.
    public var isWhole: Bool {
        switch self {
        case .everyDevice, .everyDeviceWithoutTelemetry: true
        case .devices: false
        }
    }

    /// Whether a device belongs to the part.
    public func contains(_ device: DeviceID) -> Bool {
        switch self {
        case .everyDevice, .everyDeviceWithoutTelemetry: true
        case .devices(let devices): devices.contains(device)
        }
    }

    /// The smallest part that contains both.
    public func union(_ other: HomeScope) -> HomeScope {
        switch (self, other) {
        case (.devices(let mine), .devices(let others)): .devices(mine.union(others))
        case (.everyDeviceWithoutTelemetry, .everyDeviceWithoutTelemetry): self
        default: .everyDevice
        }
    }

    /// What of this part the other does not hold; `nil` where that is nothing. Of a whole home no
    /// part can be left out.
    public func subtracting(_ other: HomeScope) -> HomeScope? {
        switch (self, other) {
        case (_, .everyDevice): nil
        case (.everyDeviceWithoutTelemetry, .everyDeviceWithoutTelemetry): nil
        case (.everyDevice, _), (.everyDeviceWithoutTelemetry, _): self
        case (.devices, .everyDeviceWithoutTelemetry): self
        case (.devices(let mine), .devices(let others)):
            mine.isSubset(of: others) ? nil : .devices(mine.subtracting(others))
        }
    }

    /// Whether a device belongs to both.
    public func overlaps(_ other: HomeScope) -> Bool {
        switch (self, other) {
        case (.devices(let mine), .devices(let others)): !mine.isDisjoint(with: others)
        default: true
        }
    }

    /// Whether every device of this part belongs to one of the others.
    public func isCovered(by others: some Sequence<HomeScope>) -> Bool {
        var rest: HomeScope? = self
        for other in others { rest = rest?.subtracting(other) }
        return rest == nil
    }
}
