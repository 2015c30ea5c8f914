internal import DeviceDomain

/// A type of device by its number (Matter device library).
struct DeviceType: RawRepresentable, Hashable, Sendable {
    let rawValue: Int

    static let aggregator = DeviceType(rawValue: 14)
    static let bridgedNode = DeviceType(rawValue: 19)
    static let contactSensor = DeviceType(rawValue: 21)
    static let leakDetector = DeviceType(rawValue: 67)

    /// The kind of a device of this type; `nil` for types that add to others, and for unknown ones.
    var kind: DeviceKind? {
        switch rawValue {
        case 256, 257, 268, 269: .light
        case 266, 267: .plug
        case 10: .lock
        case 514: .cover
        case 769: .climate
        case 116: .sweepingRobot
        case 24: .energyStore
        case 23: .solar
        case 1292: .evse
        case 43: .fan
        case 15, 21, 44, 67, 118, 262, 263, 770, 773, 774, 775: .sensor
        default: nil
        }
    }

    /// The clusters that a device of this type is controlled by. Others beside them prove nothing: a lock or a
    /// thermostat may have an On/Off cluster.
    var controls: Set<Int> {
        switch rawValue {
        case 256, 266: [Cluster.onOff]
        case 257, 267: [Cluster.onOff, Cluster.level]
        case 268, 269: [Cluster.onOff, Cluster.level, Cluster.color]
        case 10: [Cluster.doorLock]
        case 514: [Cluster.windowCovering]
        case 769: [Cluster.thermostat]
        case 43: [Cluster.fanControl]
        case 116:
            [
                Cluster.identify, Cluster.rvcRunMode, Cluster.rvcCleanMode,
                Cluster.rvcOperationalState, Cluster.serviceArea,
            ]
        case 1292: [Cluster.evse]
        default: []
        }
    }
}

extension DeviceKind {
    static let light = DeviceKind(rawValue: "light")
    static let plug = DeviceKind(rawValue: "plug")
    static let lock = DeviceKind(rawValue: "lock")
    static let cover = DeviceKind(rawValue: "cover")
    static let climate = DeviceKind(rawValue: "climate")
    static let fan = DeviceKind(rawValue: "fan")
    static let sensor = DeviceKind(rawValue: "sensor")
    static let solar = DeviceKind(rawValue: "solar")
    static let evse = DeviceKind(rawValue: "evse")
    static let matterDevice = DeviceKind(rawValue: "matter-device")
    static let matterBridge = DeviceKind(rawValue: "matter-bridge")
}
