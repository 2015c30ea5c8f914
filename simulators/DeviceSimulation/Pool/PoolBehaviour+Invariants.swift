import DeviceDomain

// What the invariants look at.
extension PoolBehaviour {
    package var look: DeviceLook {
        var look = DeviceLook()
        look.body = DeviceLook.Body(
            position: PlanPoint(x: drive.place.x, y: drive.place.y), headingDeg: drive.headingDeg,
            depthM: drive.depthM, tiltDeg: drive.tiltDeg, isHeld: !place.isInPool,
            isAtRest: !activity.isWorking,
            isSettled: activity.isWorking || place != .water
                || drive.depthM >= PoolDrive.floor(at: drive.place.x, in: site),
            limits: site.limits)
        if let battery {
            look.charge = DeviceLook.Charge(energyWh: battery.energyWh, mayRise: place.isAtCharger)
        }
        if case .cleaning = activity {
            look.partial = filter.clogged
            look.period = 1
        }
        return look
    }

    package var obstruction: String? {
        let slack = Invariant.freeSpace.tolerance.value
        guard site.basin.contains(drive.place) else {
            return "it is outside of the pool, at \(drive.place)"
        }
        let floor = PoolDrive.floor(at: drive.place.x, in: site)
        if drive.depthM > floor + slack {
            return "it is \(drive.depthM) m deep where the floor is at \(floor) m"
        }
        guard drive.depthM < -site.ratings.basin.beachTop.value - slack else { return nil }
        return "it is \(-drive.depthM) m above the water"
    }

    package func contradiction(after step: DeviceStep) -> String? {
        if !place.isInPool, drive.depthM != 0 {
            return "it is beside the pool, \(drive.depthM) m deep"
        }
        guard let before = step.before?.body, let now = step.now.body, place == .water,
            !before.isHeld, before.isAtRest, now.isAtRest, before.depthM >= 0
        else { return nil }
        let floor = PoolDrive.floor(at: drive.place.x, in: site)
        let sunk = min(floor, before.depthM + site.unit.sinkSpeed * Double(step.wholeSeconds))
        guard (now.depthM - sunk).magnitude > 1e-9 else { return nil }
        return "its motors are off, and it is \(now.depthM) m deep instead of \(sunk) m"
    }
}

extension PoolSpecification {
    /// How fast a robot can move: `boost` at the upper end of the tolerances. It sinks faster than it climbs, and
    /// floats up as fast as it sinks.
    var limits: MotionLimits {
        MotionLimits(
            speed: (drive.speed.range?.upperBound ?? drive.speed.value) * drive.levels.boost.value,
            turnRate: drive.turnSpeed.value,
            depthRate: drive.sinkSpeed.range?.upperBound ?? drive.sinkSpeed.value,
            tiltRate: drive.tiltSpeed.value, isStepwise: true)
    }
}
