public import DeviceDomain

extension DeviceKind {
    /// Gives light.
    public static let light = DeviceKind(rawValue: "light")
    /// Switches something else.
    public static let `switch` = DeviceKind(rawValue: "switch")
    /// Switches what is plugged in, and measures it.
    public static let plug = DeviceKind(rawValue: "plug")
    /// Covers a window or a door.
    public static let cover = DeviceKind(rawValue: "cover")
    /// Locks a door.
    public static let lock = DeviceKind(rawValue: "lock")
    /// Heats or cools.
    public static let climate = DeviceKind(rawValue: "climate")
    /// Moves air.
    public static let fan = DeviceKind(rawValue: "fan")
    /// Measures, and takes no commands of daily use.
    public static let sensor = DeviceKind(rawValue: "sensor")
    /// A Zigbee device of no class that can be set.
    public static let zigbeeDevice = DeviceKind(rawValue: "zigbee-device")
    /// The bridge to a Zigbee network.
    public static let zigbeeBridge = DeviceKind(rawValue: "zigbee-bridge")
}
