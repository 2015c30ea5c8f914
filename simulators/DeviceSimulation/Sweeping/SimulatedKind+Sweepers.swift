import Basics
import DeviceDomain

extension SimulatedKind {
    /// Sweeping robots.
    static let sweepingRobots = SimulatedKind(
        kind: .sweepingRobot, word: "sweeper", title: "Sweeper", plural: "Sweeping robots",
        group: "sweepers", usualCount: 3,
        models: [
            SimulatedModel(
                DeviceModel(rawValue: "sweeper-s1"), SweeperSpecification.s1, make: sweepingRobot),
            SimulatedModel(
                DeviceModel(rawValue: "sweeper-pro"), SweeperSpecification.pro, make: sweepingRobot),
        ],
        boxedModel: DeviceModel(rawValue: "sweeper-s1"),
        faults: [
            .stuck, .lowBattery, .brushBlocked, .binFull, .sideBrushBlocked, .bumperStuck,
            .lidarBlocked, .cliff, .trapped, .binMissing, .filterBlocked, .dockNotFound,
            .dockNoPower,
            .batteryTemperature, .batteryDead,
        ])

    /// The floors that robots share.
    private static let floors = FloorLibrary(for: .standard)

    private static func sweepingRobot(_ robot: SweeperSpecification) -> BehaviourCatalog.Maker {
        { identity, seed, _ in
            var generator = SeededGenerator(seed: seed, identity: identity, purpose: "sweeping")
            let variant = FloorVariant(home: identity.home, seed: seed.home)
            let seed = generator.next()
            return SweepingBehaviour(
                robot.drawn(using: &generator), on: floors.floor(variant),
                dockNumber: identity.number, seed: seed)
        }
    }
}
