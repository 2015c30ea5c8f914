import DeviceDomain

extension SimulatedKind {
    /// Pool robots.
    static let poolRobots = SimulatedKind(
        kind: .poolRobot, word: "pool", title: "Pool robot", plural: "Pool robots",
        group: "pools", usualCount: 2,
        models: [
            SimulatedModel(DeviceModel(rawValue: "pool-p1"), PoolSpecification.p1, make: poolRobot),
            SimulatedModel(DeviceModel(rawValue: "pool-c1"), PoolSpecification.c1, make: poolRobot),
        ],
        boxedModel: DeviceModel(rawValue: "pool-p1"),
        faults: [.stuck, .outOfWater, .batteryDead])

    private static func poolRobot(_ ratings: PoolSpecification) -> BehaviourCatalog.Maker {
        { identity, seed, world in
            let site = PoolSite(ratings: ratings, identity: identity, seed: seed)
            return PoolBehaviour(site: site, at: world)
        }
    }
}
