import DeviceDomain

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
        let mishap = wear.mishap(SweeperWear.Work(of: self, at: second), of: robot)
        if mishap == .dockNoPower { supply.isPluggedIn = false }
        var blockage = mishap == .dockNoPower ? nil : mishap.flatMap(Blockage.ofSweeper)
        if wear.isTooHot, !wasTooHot { blockage = Blockage.ofSweeper(by: .batteryTemperature) }
        if let blockage { block(blockage, noting: &occurrences) }
        if wasTooHot, !wear.isTooHot { blockages.end(.batteryTemperature) }
        if let fault = wear.help(at: second) { beHelped(fault, noting: &occurrences) }
    }

    /// Somebody puts it right, and sends it home.
    private mutating func beHelped(
        _ fault: SimulatedFault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        end(fault: fault, noting: &occurrences)
        guard case .idle = activity, blockages.code == nil else { return }
        goHome(.finished, noting: &occurrences)
    }
}

extension SweeperWear.Work {
    /// What a robot does in a second.
    fileprivate init(of robot: SweepingBehaviour, at second: Int) {
        self.second = second
        if case .cleaning = robot.activity { isCleaning = true } else { isCleaning = false }
        isDocked = robot.activity.isDocked
        room = isCleaning ? robot.floor.plan.room(at: robot.pose.position)?.id : nil
        hours = Double(robot.workedMilliseconds) / 3_600_000
        let charging = robot.isCharging ? robot.battery.chargingW : 0
        self.charging = charging / robot.battery.chargerW
    }
}
