import DeviceDomain

// What the owner does: lifts the robot out to charge it, to empty its filter or to help it, and puts it back.
extension PoolBehaviour {
    private var need: PoolOwner.Need? {
        guard blockages.code == nil else { return nil }
        return PoolOwner.Need(of: activity, battery, filter, site.ratings)
    }

    /// Where a robot waits that was lifted out.
    var outside: PoolPlace { battery == nil ? .deck(seconds: 0) : .charger(seconds: 0) }

    /// Lifts the robot out of the water, or puts it back.
    mutating func place(inWater: Bool) {
        owner.forget()
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
            return owner.seconds(until: need, at: now.milliseconds / 1000, site)
        case .deck(let seconds): return outsideSeconds - seconds
        case .charger(let seconds):
            let isNearlyFull = (battery?.percent ?? 100) > 99
            return isNearlyFull ? max(outsideSeconds - seconds, 1) : nil
        case .keptOutside: return nil
        }
    }

    private var outsideSeconds: Int { Int(site.ratings.owner.delay.value) }

    private mutating func waitForOwner(at second: Int) {
        let need = need
        guard owner.comes(for: need, at: second, to: site) else { return }
        place(inWater: false)
        drive.untwist()
        filter.empty()
        if need == .repair { trackSeconds = 0 }
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
