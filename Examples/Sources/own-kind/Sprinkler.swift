import Homeport

/// A kind of device that Homeport does not know, with its own typed commands: all that a third
/// party writes.
struct Sprinkler: Device, Connectable, Stoppable {
    let profile: DeviceProfile
    var report: DeviceReport

    /// The lawn's moisture in percent, if it was reported.
    var moisturePercent: Double? { report.telemetry?["moisturePercent"]?.number }

    /// The models of this kind.
    static let blueprints = [
        DeviceBlueprint(
            model: DeviceModel("sprinkler-r1"),
            kind: DeviceKind("garden-sprinkler"),
            capabilities: [.connectable, .controllable],
            commands: CommandSpecification.ofEveryDevice + [
                CommandSpecification(
                    name: .water, arguments: .members(["minutes": .integer(1...120)]),
                    sort: .action, offline: .expire(after: .seconds(600)),
                    undo: .inverse(with: .stop)),
                CommandSpecification(
                    name: .stop, arguments: .nothing, lane: .urgent, sort: .instant,
                    offline: .barrier),
            ]
        ) { Sprinkler(profile: $0, report: $1) }
    ]
}

extension CommandName {
    static let water: CommandName = "water"
}

extension CommandRequest where Receiver == Sprinkler {
    /// Waters the lawn for 1 to 120 minutes.
    static func water(minutes: Int) throws(ArgumentViolation) -> Self {
        guard (1...120).contains(minutes) else {
            throw ArgumentViolation(path: "minutes", reason: "must be from 1 to 120")
        }
        return Self(.water, ["minutes": .integer(minutes)])
    }
}
