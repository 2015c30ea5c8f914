package import DeviceDomain

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
}
