/// What happened to a device, typed: the events of the protocol's own kinds (PROTOCOL section 5), and any other by its
/// name. A value is `nil` where the device did not say it.
public enum DeviceFact: Hashable, Sendable {
    /// The robot cannot move; the code says why, such as `WHEEL_BLOCKED`.
    case stuck(code: String?)
    /// A cleaning came to its end: the area in m², and how long the brushes were on the floor.
    case cleaningFinished(areaM2: Double?, duration: Duration?)
    /// The robot stands on its dock.
    case docked
    /// A program of a pool robot came to its end.
    case programFinished(PoolRobot.Program?, duration: Duration?)
    /// The battery is low: its charge, 0…100 %.
    case lowBattery(percent: Double?)
    /// The filter is full: how full, 0…100 %.
    case filterFull(percent: Double?)
    /// The robot runs out of the water.
    case outOfWater
    /// The home is off the grid.
    case gridLost
    /// The home is on the grid again.
    case gridRestored
    /// The store is too hot for its full power: its temperature in °C.
    case overTemperature(celsius: Double?)
    /// A part of the device does not work; the code says which.
    case fault(code: String?)
    /// An event of another kind of device.
    case other(EventName)

    /// Reads an event as the protocol has it.
    public init(_ name: EventName, _ detail: JSONObject) {
        let code = detail["code"]?.string
        switch name {
        case .stuck: self = .stuck(code: code)
        case .cleaningFinished:
            self = .cleaningFinished(
                areaM2: detail[.cleanedAreaM2]?.number,
                duration: detail[.cleaningSeconds]?.number.map { .seconds($0) })
        case .docked: self = .docked
        case .programFinished:
            self = .programFinished(
                detail["program"]?.string.flatMap(PoolRobot.Program.init),
                duration: detail["minutes"]?.number.map { .seconds($0 * 60) })
        case .lowBattery: self = .lowBattery(percent: detail[.batteryPercent]?.number)
        case .filterFull: self = .filterFull(percent: detail[.filterPercent]?.number)
        case .outOfWater: self = .outOfWater
        case .gridLost: self = .gridLost
        case .gridRestored: self = .gridRestored
        case .overTemperature:
            self = .overTemperature(celsius: detail[.temperatureC]?.number)
        case .fault: self = .fault(code: code)
        default: self = .other(name)
        }
    }
}
