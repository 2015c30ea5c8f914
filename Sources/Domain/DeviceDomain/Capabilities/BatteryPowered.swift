/// A device that runs from a battery.
public protocol BatteryPowered: Device {}

extension BatteryPowered {
    /// The charge of the battery, if it was reported.
    public var battery: Percentage? {
        let reported = report.state[.batteryPercent] ?? report.telemetry?[.batteryPercent]
        return reported?.number.flatMap(Percentage.init)
    }
}
