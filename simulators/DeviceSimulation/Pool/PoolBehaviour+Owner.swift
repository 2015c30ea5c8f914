import DeviceDomain

// What the owner does: lifts the robot out to charge it, to empty its filter or to help it, and puts it back.
extension PoolBehaviour {
    /// Why the owner comes.
    private enum Need: Hashable {
        case help, repair, charge, emptying
    }

    private var need: Need? {
        guard blockages.code == nil else { return nil }
        switch activity {
        case .failed(.supplyOverheat), .cleaning, .paused, .surfacing: return nil
        case .failed(.driveUnderload): return .repair
        case .failed: return .help
        case .idle, .holding: break
        }
        if let battery, let ratings = site.ratings.battery,
            battery.percent < ratings.charge.value
        {
            return .charge
        }
        return filter.isReported ? .emptying : nil
    }

    /// Where a robot waits that was lifted out.
    var outside: PoolPlace { battery == nil ? .deck(seconds: 0) : .charger(seconds: 0) }

    /// Lifts the robot out of the water, or puts it back.
    mutating func place(inWater: Bool) {
        waitedSeconds = 0
        if inWater {
            place = .water
            drive.putIn(in: site)
        } else {
            place = outside
            drive.liftOut()
        }
        thermometer.move(intoWater: inWater, at: now, in: site)
    }

    /// What the owner does in a second in which the robot does not work.
    mutating func attend(at second: Int) {
        switch place {
        case .water, .floating: waitForOwner(at: second)
        case .deck(let seconds):
            place = .deck(seconds: seconds + 1)
            if seconds + 1 >= outsideSeconds { putBack(at: second) }
        case .charger(let seconds):
            place = .charger(seconds: seconds + 1)
            battery?.fill(seconds: 1)
            if battery?.isFull ?? true, seconds + 1 >= outsideSeconds { putBack(at: second) }
        case .keptOutside: break
        }
    }

    /// How soon the owner does something, if that is known; 1 where it may be at any time.
    var secondsToOwner: Int? {
        switch place {
        case .water, .floating:
            guard let need else { return nil }
            return delay(of: need, at: now.milliseconds / 1000) - waitedSeconds
        case .deck(let seconds): return outsideSeconds - seconds
        case .charger(let seconds):
            let isNearlyFull = (battery?.percent ?? 100) > 99
            return isNearlyFull ? max(outsideSeconds - seconds, 1) : nil
        case .keptOutside: return nil
        }
    }

    private var outsideSeconds: Int { Int(site.ratings.owner.delay.value) }

    private mutating func waitForOwner(at second: Int) {
        guard let need else {
            waitedSeconds = 0
            return
        }
        waitedSeconds += 1
        guard waitedSeconds >= delay(of: need, at: second) else { return }
        place(inWater: false)
        drive.untwist()
        filter.empty()
        if need == .repair { trackSeconds = 0 }
    }

    private func delay(of need: Need, at second: Int) -> Int {
        let owner = site.ratings.owner
        switch need {
        case .help, .charge: return Int(owner.delay.value)
        case .repair: return Int(owner.repair.value)
        case .emptying:
            let isAway = site.unit.roll(.away, at: second / 86_400) < owner.awayChance.value
            return isAway ? .max / 2 : Int(owner.delay.value)
        }
    }

    private mutating func putBack(at second: Int) {
        place(inWater: true)
        let owner = site.ratings.owner
        if site.unit.roll(.air, at: second) < owner.airChance.value {
            place = .floating(seconds: Int(site.unit.draw(owner.airTime, .airTime, at: second)))
        }
        if case .failed = activity { activity = .idle }
    }

    /// Lets the air out that is left in it, if some is.
    mutating func loseAir() {
        guard case .floating(let seconds) = place else { return }
        place = seconds > 1 ? .floating(seconds: seconds - 1) : .water
    }
}
