import DeviceDomain

// What the invariants look at.
extension SweepingBehaviour {
    package var look: DeviceLook {
        let pose = pose
        var look = DeviceLook()
        look.body = DeviceLook.Body(
            position: pose.position, headingDeg: pose.headingDeg, isHeld: isPoweredOff,
            isAtRest: !activity.isMoving, limits: SweeperChassis.limits)
        look.charge = DeviceLook.Charge(
            energyWh: battery.energyWh, mayRise: activity.isDocked && supply.hasPower)
        look.totals = SIMD2(Double(workedMilliseconds), Double(tally.jobs))
        look.partial = cleanedCells
        look.period = tally.jobs
        return look
    }

    package var obstruction: String? { floor.obstruction(at: pose.position) }

    package func contradiction(after step: DeviceStep) -> String? {
        // One that was stopped before it left its dock is idle there; one that comes there is docked.
        let hasCome = step.before?.body.map { $0.position != pose.position } ?? false
        let isAtDock = dock.holds(pose.position)
        if activity.isDocked ? !isAtDock : isAtDock && hasCome && reportedActivity == .idle {
            return "it is \(activityName) at \(pose.position)"
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

extension Floor {
    /// What a body at a place is in; `nil` where it touches nothing.
    fileprivate func obstruction(at place: PlanPoint) -> String? {
        guard !grid.isOpen(place) else { return nil }
        let gap = grid.gap(around: place)
        if gap < -Invariant.freeSpace.tolerance.value {
            return "its body is \(-gap) m in a wall, furniture or an area to keep out of"
        }
        guard plan.room(at: place) == nil || isOccupied(place) else { return nil }
        return "it is in furniture or outside of the rooms, at \(place)"
    }
}

extension SweeperChassis {
    /// How fast a robot can move.
    fileprivate static let limits = MotionLimits(
        speed: standard.peakSpeed.value, turnRate: standard.turnRate.value)
}
