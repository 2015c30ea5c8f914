import DeviceDomain

/// A fourth kind of device, all in this one file: the code that a new kind of device needs.
struct Lawnmower: Device, Connectable, BatteryPowered, Movable {
    let profile: DeviceProfile
    var report: DeviceReport

    /// The models of this kind.
    static let blueprints = [
        DeviceBlueprint(
            model: DeviceModel(rawValue: "mower-m1"), kind: DeviceKind(rawValue: "lawnmower"),
            capabilities: [.connectable, .batteryPowered, .controllable, .movable],
            commands: CommandSpecification.ofEveryDevice + [
                CommandSpecification(name: .mow, arguments: .nothing, sort: .action)
            ]
        ) { Lawnmower(profile: $0, report: $1) }
    ]
}

extension CommandRequest where Receiver == Lawnmower {
    /// Mows.
    static var mow: Self { Self(.mow) }
}

extension CommandName {
    /// Mows.
    static let mow = CommandName(rawValue: "mow")
}
