/// A kind of device. An open set, which third parties can extend.
public struct DeviceKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var description: String { rawValue }
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A robot that sweeps floors.
    public static let sweepingRobot = DeviceKind(rawValue: "sweeping-robot")
    /// A robot that cleans a swimming pool.
    public static let poolRobot = DeviceKind(rawValue: "pool-robot")
    /// A battery that stores a home's electrical energy.
    public static let energyStore = DeviceKind(rawValue: "energy-store")
}

/// A model of a kind of device, such as `sweeper-s1`. An open set.
public struct DeviceModel: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var description: String { rawValue }
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A capability of a device; views depend on capabilities, never on kinds. An open set.
public struct Capability: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var description: String { rawValue }
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reports its presence. See ``Connectable``.
    public static let connectable = Capability(rawValue: "connectable")
    /// Runs from a battery and reports its charge. See ``BatteryPowered``.
    public static let batteryPowered = Capability(rawValue: "battery-powered")
    /// Accepts commands. See ``Controllable``.
    public static let controllable = Capability(rawValue: "controllable")
    /// Moves in space. See ``Movable``.
    public static let movable = Capability(rawValue: "movable")
    /// Stores energy for the home. See ``EnergyStorage``.
    public static let energyStorage = Capability(rawValue: "energy-storage")
    /// Runs programs by a weekly schedule.
    public static let schedulable = Capability(rawValue: "schedulable")
}

/// The name of a command, such as `start-cleaning`. An open set.
public struct CommandName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var description: String { rawValue }
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
