package import DeviceDomain

// What comes in the way of a robot by itself.
extension SweepingBehaviour {
    package mutating func beginToWear(_ identity: DeviceIdentity, _ seed: DeviceSeeds) {
        wear = SweeperWear(seed: self.seed, weather: RegionWeather(seed: seed.region), robot)
    }

    package var hasMains: Bool {
        get { supply.hasMains }
        set { supply.hasMains = newValue }
    }

    /// Notices whether its dock has power while it is there.
    mutating func watchDock(noting occurrences: inout [BehaviourOccurrence]) {
        if activity.isDocked, !supply.hasPower {
            block(.dockNoPower, noting: &occurrences)
        } else {
            blockages.end(.dockNoPower)
        }
    }

    /// Wears for a second, and is helped.
    mutating func wearOff(at second: Int, noting occurrences: inout [BehaviourOccurrence]) {
        guard var wear else { return }
        defer { self.wear = wear }
        let wasTooHot = wear.isTooHot
        switch wear.mishap(work(at: second), of: robot) {
        case .dockNoPower: supply.isPluggedIn = false
        case let fault?: block(by: fault, noting: &occurrences)
        case nil: break
        }
        if wear.isTooHot, !wasTooHot { block(by: .batteryTemperature, noting: &occurrences) }
        if wasTooHot, !wear.isTooHot { blockages.end(.batteryTemperature) }
        if let fault = wear.help(at: second) { beHelped(fault, noting: &occurrences) }
    }

    private mutating func block(
        by fault: SimulatedFault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        guard let blockage = Blockage.ofSweeper(by: fault) else { return }
        block(blockage, noting: &occurrences)
    }

    /// Somebody puts it right, and sends it home.
    private mutating func beHelped(
        _ fault: SimulatedFault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        end(fault: fault, noting: &occurrences)
        guard case .idle = activity, blockages.code == nil else { return }
        goHome(.finished, noting: &occurrences)
    }

    private func work(at second: Int) -> SweeperWear.Work {
        var isCleaning = false
        if case .cleaning = activity { isCleaning = true }
        return SweeperWear.Work(
            second: second, isCleaning: isCleaning, isDocked: activity.isDocked,
            room: isCleaning ? floor.plan.room(at: pose.position)?.id : nil,
            hours: Double(workedMilliseconds) / 3_600_000,
            charging: isCharging ? battery.chargingW / battery.chargerW : 0)
    }
}
