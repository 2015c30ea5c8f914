import DeviceDomain

// What the invariants look at.
extension SweepingBehaviour {
    package var look: DeviceLook {
        let pose = pose
        var look = DeviceLook()
        look.body = DeviceLook.Body(
            position: pose.position, headingDeg: pose.headingDeg, isHeld: isPoweredOff,
            isAtRest: !activity.isMoving, limits: Self.limits)
        look.charge = DeviceLook.Charge(
            energyWh: battery.energyWh, mayRise: activity.isDocked && supply.hasPower)
        look.totals = [Double(workedMilliseconds), Double(tally.jobs)]
        look.partial = cleanedCells
        look.period = tally.jobs
        return look
    }

    private static let limits = MotionLimits(
        speed: SweeperChassis.standard.peakSpeed.value,
        turnRate: SweeperChassis.standard.turnRate.value)

    package var obstruction: String? {
        let place = pose.position
        guard !floor.grid.isOpen(place) else { return nil }
        let gap = floor.grid.gap(around: place)
        if gap < -Invariant.freeSpace.tolerance.value {
            return "its body is \(-gap) m in a wall, furniture or an area to keep out of"
        }
        guard floor.plan.room(at: place) == nil || floor.isOccupied(place) else { return nil }
        return "it is in furniture or outside of the rooms, at \(place)"
    }

    package func contradiction(after step: DeviceStep) -> String? {
        let distance = pose.position.distance(to: dock.pose.position)
        let isAtDock = distance <= Invariant.noContradiction.tolerance.value
        if activity.isDocked != isAtDock, activity.isDocked || reportedActivity == .idle {
            return "it is \(activityName), \(distance) m from its dock"
        }
        guard let before = step.before, let wasAtRest = before.body?.isAtRest else { return nil }
        let worked = step.now.totals[0] - before.totals[0]
        if worked > 0, wasAtRest, !activity.isMoving {
            return "it is \(activityName), and its parts wear"
        }
        guard worked > step.seconds * 1000 + 1 else { return nil }
        return "its parts wore \(worked) ms in \(step.seconds) s"
    }
}
