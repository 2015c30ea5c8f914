import DeviceDomain
import DeviceMessages

extension PoolBehaviour {
    /// How far a step may be from the end of the one before without being a jump of the clock, in ms.
    private static let tolerance = 50

    package mutating func step(
        _ span: WorldSpan, noting occurrences: inout [BehaviourOccurrence]
    ) {
        let end = span.end.milliseconds
        var begin = end - Int((span.seconds * 1000).rounded())
        // A monotonic clock measures a little more or less than the world clock shows.
        if (begin - now.milliseconds).magnitude <= Self.tolerance.magnitude {
            begin = now.milliseconds
        }
        var second = Self.seconds(begin) + 1
        while second * 1000 <= end {
            now = Timestamp(milliseconds: second * 1000)
            passSecond(second, noting: &occurrences)
            second += 1
        }
        now = span.end
    }

    private static func seconds(_ milliseconds: Int) -> Int {
        Int((Double(milliseconds) / 1000).rounded(.down))
    }

    /// The time until the next whole second in which something can change.
    package var stepInterval: Duration? {
        let past = now.milliseconds % 1000
        return secondsToChange.map { .milliseconds($0 * 1000 - (past < 0 ? past + 1000 : past)) }
    }

    private var secondsToChange: Int? {
        switch activity {
        case .cleaning, .surfacing, .holding: return 1
        case .idle, .paused, .failed: break
        }
        if place.isInPool, drive.phase != .resting { return 1 }
        let isTimed = !settings.schedule.entries.isEmpty || activity == .failed(.supplyOverheat)
        let toMinute = 60 - (now.milliseconds / 1000) % 60
        let times = [secondsToOwner, isTimed ? toMinute : nil].compactMap { $0 }
        return times.min().map { min(max($0, 1), 60) }
    }

    private mutating func passSecond(
        _ second: Int, noting occurrences: inout [BehaviourOccurrence]
    ) {
        loseAir()
        switch activity {
        case .cleaning(let run): clean(run, at: second, noting: &occurrences)
        case .surfacing(let protection, let isAction):
            surface(protection, isAction, at: second, noting: &occurrences)
        case .holding(let seconds): hold(seconds, at: second)
        case .idle, .paused, .failed: rest(at: second, noting: &occurrences)
        }
        thermometer.move(intoWater: isInWater, at: now, in: site)
        if second.isMultiple(of: 60) { passMinute(noting: &occurrences) }
    }

    // MARK: At work

    private mutating func clean(
        _ run: PoolRun, at second: Int, noting occurrences: inout [BehaviourOccurrence]
    ) {
        var run = run
        run.elapsed = min(run.total, run.elapsed + 1)
        let failure = work(.clean(run.program), &run.protection, at: second, noting: &occurrences)
        activity = .cleaning(run)
        if let failure {
            fail(failure, isAction: run.isAction, noting: &occurrences)
        } else if isExhausted {
            // Nothing is left to come up with: it stops and sinks where it is.
            giveUp(isAction: run.isAction, to: .idle, noting: &occurrences)
        } else if run.elapsed >= run.total {
            finish(run, noting: &occurrences)
        } else if site.ratings.isBelow(\.low, battery), isInWater {
            giveUp(
                isAction: run.isAction, to: .surfacing(PoolProtection(), isAction: false),
                noting: &occurrences)
            drive.start(.surface, at: second, in: site)
        }
    }

    private mutating func surface(
        _ protection: PoolProtection, _ isAction: Bool, at second: Int,
        noting occurrences: inout [BehaviourOccurrence]
    ) {
        var protection = protection
        let failure = work(.surface, &protection, at: second, noting: &occurrences)
        activity = .surfacing(protection, isAction: isAction)
        if let failure {
            fail(failure, isAction: isAction, noting: &occurrences)
        } else if isExhausted {
            giveUp(isAction: isAction, to: .idle, noting: &occurrences)
        } else if isAtSurface {
            activity = .holding(seconds: 0)
            if isAction { occurrences.append(.actionEnded(.succeeded(result: [:]))) }
        }
    }

    /// Whether its owner can reach it from above.
    var isAtSurface: Bool {
        if case .floating = place { return drive.depthM <= site.ratings.drive.lineDepth.value }
        return drive.isHolding
    }

    /// Works for a second.
    /// - Returns: what it has to stop for, if it has to.
    private mutating func work(
        _ task: PoolDrive.Task, _ protection: inout PoolProtection, at second: Int,
        noting occurrences: inout [BehaviourOccurrence]
    ) -> PoolFailure? {
        switch place {
        case .water where !hasLostTrack:
            let area = drive.work(task, with: motors.push(site.ratings), at: second, in: site)
            trackSeconds += 1
            clog(area * site.ratings.drive.freshShare.value, noting: &occurrences)
        case .water: drive.rest(in: site)
        case .floating: drive.float(in: site)
        case .deck, .charger, .keptOutside: break
        }
        drainMotors()
        return protection.observe(symptoms, site.ratings.protection)
    }

    private mutating func clog(
        _ area: Double, noting occurrences: inout [BehaviourOccurrence]
    ) {
        guard isInWater, filter.take(area, clogging: site.clogging, site.ratings.filter) else {
            return
        }
        let filled = JSONObject(reporting: [.filterPercent: .number(filter.percent.rounded())])
        occurrences.append(.event(.filterFull, detail: filled))
    }

    private mutating func drainMotors() {
        let watts = motorCurrentA * site.ratings.pump.voltage.value
        battery?.drain(watts: watts, seconds: 1)
    }

    private mutating func hold(_ seconds: Int, at second: Int) {
        drive.hold(with: motors.push(site.ratings), at: second, in: site)
        if case .floating = place { drive.float(in: site) }
        drainMotors()
        if site.ratings.isBelow(\.hold, battery)
            || Double(seconds + 1) >= site.ratings.owner.pickUp.value
        {
            rest()
        } else {
            activity = .holding(seconds: seconds + 1)
        }
        attend(at: second)
        if !place.isInPool { rest() }
    }

    // MARK: At rest

    /// Switches the motors off.
    mutating func rest() {
        activity = .idle
        drive.switchOff()
    }

    private mutating func rest(
        at second: Int, noting occurrences: inout [BehaviourOccurrence]
    ) {
        switch place {
        case .water: drive.rest(in: site)
        case .floating: drive.float(in: site)
        case .deck, .charger, .keptOutside: break
        }
        if place.isInPool, let ratings = site.ratings.battery {
            battery?.drain(watts: ratings.idlePower.value, seconds: 1)
        }
        attend(at: second)
    }

    // MARK: Each minute

    private mutating func passMinute(noting occurrences: inout [BehaviourOccurrence]) {
        warmSupply(noting: &occurrences)
        guard case .idle = activity, isInWater, blockages.code == nil, !needsCharge,
            let program = settings.program(startingAt: now)
        else { return }
        start(program, isAction: false)
    }

    private mutating func warmSupply(noting occurrences: inout [BehaviourOccurrence]) {
        guard let ratings = site.ratings.supply, var supply else { return }
        supply.passMinute(
            giving: motorCurrentA * site.ratings.pump.voltage.value, at: now, ratings, in: site)
        self.supply = supply
        switch activity {
        case .failed(.supplyOverheat):
            if supply.celsius < ratings.reset.value { activity = .idle }
        case .cleaning(let run) where supply.celsius > ratings.trip.value:
            fail(.supplyOverheat, isAction: run.isAction, noting: &occurrences)
        case .surfacing(_, let isAction) where supply.celsius > ratings.trip.value:
            fail(.supplyOverheat, isAction: isAction, noting: &occurrences)
        case .idle, .holding, .cleaning, .surfacing, .paused, .failed: break
        }
    }

    // MARK: Ends

    private var isExhausted: Bool { battery.map { $0.energyWh <= 0 } ?? false }

    /// Whether its battery holds too little to begin a program.
    var needsCharge: Bool { site.ratings.isBelow(\.start, battery) }

    private mutating func fail(
        _ failure: PoolFailure, isAction: Bool, noting occurrences: inout [BehaviourOccurrence]
    ) {
        activity = .failed(failure)
        drive.switchOff()
        owner.forget()
        occurrences += failure.occurrences(isAction: isAction)
    }

    private mutating func giveUp(
        isAction: Bool, to next: PoolActivity, noting occurrences: inout [BehaviourOccurrence]
    ) {
        if next == .idle { rest() } else { activity = next }
        occurrences += battery?.givingUp(isAction: isAction) ?? []
    }

    private mutating func finish(
        _ run: PoolRun, noting occurrences: inout [BehaviourOccurrence]
    ) {
        rest()
        occurrences += run.ending
    }
}
