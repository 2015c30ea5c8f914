import DeviceDomain

// Which store takes or gives how much.
extension Household {
    /// Distributes surplus solar power, or the load that solar power does not cover, over the stores.
    ///
    /// Stores with a commanded power come first. The others share the rest in proportion to their
    /// nominal power, the one nearest to its limit first, so that the next takes what it cannot. A
    /// store never supplies another one: power taken from the grid does not count as load.
    /// - Parameter surplusW: what the roof gives beyond the load; negative where it gives less.
    mutating func dispatch(surplusW: Double) {
        let hour = HomeClock.hour(at: second)
        // Most homes have one store: no share has to be computed.
        guard stores.count != 1 else {
            switch stores[0].intent(hour: hour, isOnGrid: isOnGrid) {
            case .fixed(let watts): _ = order(watts, of: 0)
            case .follow(let least): _ = order(max(surplusW, least), of: 0)
            }
            return
        }
        share(surplusW: surplusW, hour: hour)
    }

    private mutating func share(surplusW: Double, hour: Double) {
        var sun = max(0, surplusW)
        var need = max(0, -surplusW)
        func settle(_ watts: Double) {
            if watts > 0 { sun = max(0, sun - watts) } else { need = max(0, need + watts) }
        }
        var followers: [Follower] = []
        followers.reserveCapacity(stores.count)
        for index in stores.indices {
            switch stores[index].intent(hour: hour, isOnGrid: isOnGrid) {
            case .fixed(let watts): settle(order(watts, of: index))
            case .follow(let least):
                let system = stores[index].system
                let size = sun > 0 ? system.chargeW : system.dischargeW
                let limit =
                    sun > 0 ? stores[index].allowedChargeW : stores[index].allowedDischargeW
                followers.append(
                    Follower(index: index, least: least, size: size, fill: limit / size))
            }
        }
        followers.sort { ($0.fill, $0.index) < ($1.fill, $1.index) }
        var sizes = followers.reduce(0) { $0 + $1.size }
        for follower in followers {
            let share = (sun > 0 ? sun : -need) * follower.size / sizes
            settle(order(max(share, follower.least), of: follower.index))
            sizes -= follower.size
        }
    }
}

/// A store that follows surplus and load.
private struct Follower {
    /// Its place in the home.
    let index: Int
    /// The least power that it takes, whatever the surplus, in W.
    let least: Double
    /// Its nominal power, in W.
    let size: Double
    /// The share of it that its limits allow, 0…1.
    let fill: Double
}

extension StoreUnit {
    /// What a store wants to do.
    enum Intent {
        /// This power, whatever surplus and load are, in W.
        case fixed(Double)
        /// Its share of surplus or load, but no less than this, in W.
        case follow(least: Double)
    }

    /// What it wants to do. Off the grid all stores supply the home, whatever their mode.
    func intent(hour: Double, isOnGrid: Bool) -> Intent {
        if let transfer {
            return .fixed(transfer.direction == .charge ? transfer.powerW : -transfer.powerW)
        }
        guard isOnGrid else { return .follow(least: -.infinity) }
        switch mode {
        case .idle: return .fixed(0)
        case .selfConsumption: return .follow(least: -.infinity)
        case .backup: return .follow(least: system.chargeW / 2)
        case .timeOfUse: return .follow(least: leastByTimeOfUse(hour: hour))
        }
    }

    /// Cheap power from midnight to six is stored, dear power from five to nine in the evening
    /// is saved, and the sun is always taken.
    private func leastByTimeOfUse(hour: Double) -> Double {
        switch hour {
        case 0..<6: system.chargeW / 2
        case 17..<21: -.infinity
        default: 0
        }
    }
}
