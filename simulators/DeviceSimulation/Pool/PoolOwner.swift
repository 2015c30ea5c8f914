/// The owner of a pool robot, who comes some time after it needs something.
struct PoolOwner: Hashable, Sendable {
    /// Why the owner comes.
    enum Need: Hashable, Sendable {
        /// The robot has stopped itself.
        case help
        /// A part of it is worn.
        case repair
        /// Its battery is not full.
        case charge
        /// Its filter is full.
        case emptying

        /// What a robot needs; `nil` for nothing.
        init?(
            of activity: PoolActivity, _ battery: BatteryPack?, _ filter: PoolFilter,
            _ ratings: PoolSpecification
        ) {
            switch activity {
            case .failed(.supplyOverheat), .cleaning, .paused, .surfacing: return nil
            case .failed(.driveUnderload): self = .repair
            case .failed: self = .help
            case .idle, .holding:
                if ratings.isBelow(\.charge, battery) {
                    self = .charge
                } else if filter.isReported {
                    self = .emptying
                } else {
                    return nil
                }
            }
        }
    }

    /// How long the robot has waited in the water, in seconds.
    private(set) var waitedSeconds = 0

    /// The robot needs nothing, or is somewhere else.
    mutating func forget() { waitedSeconds = 0 }

    /// Waits for a second.
    /// - Returns: whether the owner comes.
    mutating func comes(for need: Need?, at second: Int, to site: PoolSite) -> Bool {
        guard let need else {
            forget()
            return false
        }
        waitedSeconds += 1
        return waitedSeconds >= Self.delay(of: need, at: second, site)
    }

    /// How long it takes until the owner comes, in seconds, if nothing changes.
    func seconds(until need: Need, at second: Int, _ site: PoolSite) -> Int {
        Self.delay(of: need, at: second, site) - waitedSeconds
    }

    private static func delay(of need: Need, at second: Int, _ site: PoolSite) -> Int {
        let owner = site.ratings.owner
        switch need {
        case .help, .charge: return Int(owner.delay.value)
        case .repair: return Int(owner.repair.value)
        case .emptying:
            let isAway = site.unit.roll(.away, at: second / 86_400) < owner.awayChance.value
            return isAway ? .max / 2 : Int(owner.delay.value)
        }
    }
}
