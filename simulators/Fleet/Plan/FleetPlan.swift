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

/// Which devices a fleet has: a function of its homes, counts and seed alone, so that the same
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
        precondition(regions >= 1, "a fleet has at least one region")
        devices = homes.ids.enumerated().flatMap { index, home in
            // The first region has the seed of the fleet.
            let region = seed &+ UInt64(index % regions) &* 0x9E37_79B9_7F4A_7C15
            return BehaviourCatalog.standard.kinds.flatMap {
                $0.devices(in: home, counts, seed: seed, region: region, wearing: wearing)
            }
        }
    }
}

extension SimulatedKind {
    /// Devices that are numbered through within a home, models taking turns.
    fileprivate func devices(
        in home: HomeID, _ counts: DeviceCounts, seed: UInt64, region: UInt64, wearing: Bool
    ) -> [PlannedDevice] {
        (0..<counts[kind]).map { index in
            let identity = DeviceIdentity(
                home: home, device: .numbered(word, index + 1),
                model: models[index % models.count].model, name: "\(title) \(index + 1)")
            return PlannedDevice(
                identity: identity, of: DeviceGroup(name: "\(word)"),
                seed: deviceSeed(seed, home: home, device: identity.device), homeSeed: seed,
                regionSeed: region, wears: wearing)
        }
    }
}
