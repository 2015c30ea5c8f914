package import DeviceDomain
import DeviceMessages
import DeviceSimulation

/// How devices stand with their broker, in figures.
package struct ConnectionFigures: Hashable, Sendable {
    /// Those that are there; a scenario may not have let others come yet, or have let them go.
    package var present = 0
    /// Those of them that are connected.
    package var online = 0
    /// How often these devices were connected since the start.
    package var connects = 0
    /// One that is there and not connected.
    package var firstOffline: DeviceKey?

    package init() {}

    /// - Parameter devices: each with its name.
    init(of devices: [(key: DeviceKey, standing: DeviceStanding)]) {
        for (key, standing) in devices {
            connects += standing.epoch
            guard standing.link != .absent else { continue }
            present += 1
            if standing.link == .online {
                online += 1
            } else if firstOffline == nil {
                firstOffline = key
            }
        }
    }
}

/// What a broker should retain of a device, as the device says it.
package struct RetainedView: Hashable, Sendable {
    /// The device.
    package let key: DeviceKey
    /// Whether it is connected.
    package let isOnline: Bool
    /// Its present start.
    package let boot: BootID
    /// The payload of its description.
    package let description: [UInt8]
    /// The payload of its state.
    package let state: [UInt8]

    /// `nil` for a device that has never connected.
    init?(of device: SimulatedDevice, _ key: DeviceKey, _ standing: DeviceStanding) {
        guard standing.link != .absent || standing.epoch > 0 else { return nil }
        self.key = key
        isOnline = standing.link == .online
        boot = device.boot
        description = device.description.payload
        state = device.lastState.payload
    }
}
