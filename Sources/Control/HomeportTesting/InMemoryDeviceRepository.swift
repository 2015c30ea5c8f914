internal import Basics
public import DeviceDomain

/// A device repository in memory.
public final class InMemoryDeviceRepository: DeviceRepository {
    private struct Address: Hashable {
        let home: HomeID
        let device: DeviceID

        init(_ device: DeviceID, _ home: HomeID) {
            self.home = home
            self.device = device
        }

        init(_ remembered: RememberedDevice) {
            self.init(remembered.profile.id, remembered.profile.home)
        }
    }

    private let devices = Guarded([Address: RememberedDevice]())

    /// A repository of these devices.
    public init(_ devices: [RememberedDevice] = []) {
        self.devices.withLock { known in
            for device in devices { known[Address(device)] = device }
        }
    }

    public func remember(_ devices: [RememberedDevice]) async {
        self.devices.withLock { known in
            for device in devices { known[Address(device)] = device }
        }
    }

    public func device(_ device: DeviceID, in home: HomeID) async -> RememberedDevice? {
        devices.withLock { $0[Address(device, home)] }
    }

    public func devices(in home: HomeID) async -> [RememberedDevice] {
        devices.withLock { known in
            known.values.filter { $0.profile.home == home }.sorted { $0.profile.id < $1.profile.id }
        }
    }

    public func forget(_ device: DeviceID, in home: HomeID) async {
        devices.withLock { $0[Address(device, home)] = nil }
    }
}
