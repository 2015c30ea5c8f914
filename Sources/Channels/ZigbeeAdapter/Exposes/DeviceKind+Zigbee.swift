public import DeviceDomain

extension DeviceKind {
    /// A light.
    public static let light = DeviceKind(rawValue: "light")
    /// A switch.
    public static let `switch` = DeviceKind(rawValue: "switch")
    /// A plug that switches and measures the connected device.
    public static let plug = DeviceKind(rawValue: "plug")
    /// A cover of a window or a door.
    public static let cover = DeviceKind(rawValue: "cover")
    /// A door lock.
    public static let lock = DeviceKind(rawValue: "lock")
    /// A heating or cooling device.
    public static let climate = DeviceKind(rawValue: "climate")
    /// A fan.
    public static let fan = DeviceKind(rawValue: "fan")
    /// A sensor, without commands for daily use.
    public static let sensor = DeviceKind(rawValue: "sensor")
    /// A Zigbee device without a known class that can be set.
    public static let zigbeeDevice = DeviceKind(rawValue: "zigbee-device")
    /// The bridge to a Zigbee network.
    public static let zigbeeBridge = DeviceKind(rawValue: "zigbee-bridge")
}
