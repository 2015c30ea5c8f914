package import DeviceDomain
package import DeviceSimulation

/// One device of a fleet before it is switched on.
package struct PlannedDevice: Sendable {
    /// Who it is.
    package let identity: DeviceIdentity
    /// What all its randomness derives from.
    package let seed: UInt64
    /// What the weather and the habits of its home derive from: the same for all its devices.
    package let homeSeed: UInt64
    /// What the weather of its region derives from.
    package let regionSeed: UInt64
    /// The claim by which it came into its home; `nil` for a device that was always there.
    package let claim: ClaimNonce?
    /// Whether faults come from its world itself.
    package let wears: Bool
    /// What it has in common with others.
    package let group: DeviceGroup

    package init(
        identity: DeviceIdentity, of group: DeviceGroup, seed: UInt64, homeSeed: UInt64,
        regionSeed: UInt64? = nil, claim: ClaimNonce? = nil, wears: Bool = false
    ) {
        self.identity = identity
        self.seed = seed
        self.homeSeed = homeSeed
        self.regionSeed = regionSeed ?? homeSeed
        self.claim = claim
        self.wears = wears
        self.group = group
    }

    /// Its name across homes.
    package var key: DeviceKey { DeviceKey(home: identity.home, device: identity.device) }
}

/// Which devices a fleet has: a function of its homes, groups and seed alone, so that the same
/// options name the same devices wherever and however often they run.
package struct FleetPlan: Sendable {
    /// Every device, home by home.
    package let devices: [PlannedDevice]

    /// Plans `counts` devices for each of `homes`.
    /// - Parameters:
    ///   - regions: how many there are; home k belongs to region ((k − 1) mod `regions`) + 1, and all homes of a
    ///     region have the same weather.
    ///   - wearing: whether faults come from the world itself.
    /// - Precondition: `regions` is at least 1.
    package init(
        homes: FleetHomes, counts: DeviceCounts, seed: UInt64, regions: Int = 1,
        wearing: Bool = false
    ) {
        self.init(
            homes: homes, groups: PlannedGroup.usual(counts), seed: seed, regions: regions,
            wearing: wearing)
    }

    /// Plans the devices of `groups` for each of `homes`, group by group; a device whose name is not valid is left out.
    /// - Parameters: as for ``init(homes:counts:seed:regions:wearing:)``.
    /// - Precondition: `regions` is at least 1.
    package init(
        homes: FleetHomes, groups: [PlannedGroup], seed: UInt64, regions: Int = 1,
        wearing: Bool = false
    ) {
        precondition(regions >= 1, "a fleet has at least one region")
        devices = homes.ids.flatMap { home in
            // The first region has the seed of the fleet.
            let number = home.place(among: regions)
            let region = seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            return groups.flatMap {
                $0.devices(in: home, seed: seed, region: region, wearing: wearing)
            }
        }
    }
}

extension PlannedGroup {
    /// Devices that are numbered through within a home, models taking turns.
    fileprivate func devices(
        in home: HomeID, seed: UInt64, region: UInt64, wearing: Bool
    ) -> [PlannedDevice] {
        guard let simulated = BehaviourCatalog.standard.kinds.first(where: { $0.kind == kind })
        else { return [] }
        let models = model.map { [$0] } ?? simulated.models.map(\.model)
        return (0..<count).compactMap { index in
            guard let device = try? device(index + 1) else { return nil }
            let identity = DeviceIdentity(
                home: home, device: device, model: models[index % models.count],
                name: "\(title(of: simulated)) \(index + 1)")
            return PlannedDevice(
                identity: identity, of: group,
                seed: deviceSeed(seed, home: home, device: identity.device), homeSeed: seed,
                regionSeed: region, wears: wearing)
        }
    }

    /// What people call its devices: those of a scenario by the name of their group.
    private func title(of simulated: SimulatedKind) -> String {
        "\(simulated.word)" == group.name ? simulated.title : group.name
    }
}
