/// A name that is part of no topic: any text is one, because a device may have names of its own. A literal is one
/// by itself. Names that are part of a topic are an ``Identifier``, which is checked.
public protocol OpenName: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    init(rawValue: String)
}

extension OpenName {
    public var description: String { rawValue }

    /// The name that a text is.
    public init(_ text: String) { self.init(rawValue: text) }

    public init(stringLiteral text: String) { self.init(rawValue: text) }
}

/// A kind of device. An open set, which third parties can extend.
public struct DeviceKind: OpenName {
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
public struct DeviceModel: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A capability of a device; views depend on capabilities, never on kinds. An open set.
public struct Capability: OpenName {
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

/// The name of a command, such as `start-cleaning`. An open set: any text is one, and a literal is one by itself,
/// as in `home.send("set-reserve", ["percent": 30], to: store.id)`.
public struct CommandName: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
