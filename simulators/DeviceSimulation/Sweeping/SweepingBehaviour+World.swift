import DeviceDomain
import DeviceMessages

extension SweepingBehaviour {
    package mutating func step(
        _ span: WorldSpan, noting occurrences: inout [BehaviourOccurrence]
    ) {
        // Nothing changes in a robot that waits on its dock, fully charged.
        if case .docked(nil) = activity, !isCharging, flow.isNothing, supply.hasPower, wear == nil,
            !blockages.contains(.dockNoPower)
        {
            return
        }
        let end = span.end.milliseconds
        var time = end - Int((span.seconds * 1000).rounded())
        while time < end {
            let next = min(end, time - time.remainder(1000) + 1000)
            pass(milliseconds: next - time)
            if next.isMultiple(of: 1000) { decide(at: next / 1000, noting: &occurrences) }
            time = next
        }
    }

    /// Lets time pass, without anything being decided.
    private mutating func pass(milliseconds time: Int) {
        switch activity {
        case .docked:
            if isCharging { flow.charge(milliseconds: time) }
        case .idle, .paused:
            flow.draw(watts: robot.idlePower.value, milliseconds: time)
        case .cleaning(var job):
            tally.milliseconds += time
            workedMilliseconds += time
            if right.isWaiting {
                flow.draw(watts: robot.cleaningW(level, carpetShare: 0), milliseconds: time)
            } else if var approach = job.approach {
                advance(&approach, by: time, isCleaning: true)
                job.approach = approach
            } else {
                advance(&job.coverage, by: time, isCleaning: true)
            }
            activity = .cleaning(job)
        case .moving where right.isWaiting, .returning where right.isWaiting:
            flow.draw(watts: robot.idlePower.value, milliseconds: time)
        case .moving(var drive):
            advance(&drive, by: time, isCleaning: false)
            activity = .moving(drive)
        case .returning(var drive, let homing):
            advance(&drive, by: time, isCleaning: false)
            activity = .returning(drive, homing)
        case .off(let past): activity = .off(milliseconds: past + time)
        }
    }

    /// Drives on; at the end of the way the robot waits for the next whole second.
    private mutating func advance(_ drive: inout Drive, by time: Int, isCleaning: Bool) {
        let (robot, level) = (robot, level)
        flow.advance(&drive, by: time) { leg in
            if isCleaning {
                robot.cleaningW(level, carpetShare: leg?.carpetShare ?? 0)
            } else {
                (leg == nil ? robot.idlePower : robot.drivePower).value
            }
        }
    }

    // MARK: Whole seconds

    private mutating func decide(
        at second: Int, noting occurrences: inout [BehaviourOccurrence]
    ) {
        flow.settle(with: &battery)
        wearOff(at: second, noting: &occurrences)
        watchDock(noting: &occurrences)
        if right.isTrapped, let deadEnd = activity.deadEnd {
            block(deadEnd, noting: &occurrences)
        }
        switch activity {
        case .docked(let job): goOnIfCharged(job)
        case .idle: returnIfLow(noting: &occurrences)
        case .paused: break
        case .cleaning(let job):
            fillBin()
            goOn(with: job, noting: &occurrences)
        case .moving(let drive):
            if drive.isOver {
                leave(for: resting)
                occurrences.append(.actionEnded(.succeeded(result: [:])))
            } else {
                returnIfLow(noting: &occurrences)
            }
        case .returning(let drive, let homing):
            if drive.isOver { dock(homing, noting: &occurrences) }
        case .off(let past):
            if Double(past) >= robot.rescueTime.value * 3_600_000, !right.isWaiting {
                dock(.finished, noting: &occurrences)
            }
        }
        switchOffIfEmpty(noting: &occurrences)
    }

    private mutating func fillBin() {
        let area = tally.takeDust(of: cleanedCells) * FloorGrid.cellAreaM2
        if area > 0 { dustbinPercent = min(100, dustbinPercent + area * robot.dust.value) }
    }

    private mutating func goOnIfCharged(_ job: CleaningJob?) {
        guard var job, battery.percent >= robot.resumePercent.value,
            let way = floor.way(from: pose, to: job.place, avoiding: blockedCells)
        else { return }
        job.approach = drive(way)
        activity = .cleaning(job)
    }

    private mutating func goOn(
        with job: CleaningJob, noting occurrences: inout [BehaviourOccurrence]
    ) {
        var job = job
        if dustbinPercent >= 100 { return block(.fullBin, noting: &occurrences) }
        if let approach = job.approach {
            if approach.isOver {
                job.arrive(at: approach.pose)
                activity = .cleaning(job)
            }
        } else if job.coverage.isOver {
            guard job.hasNext else { return finish(noting: &occurrences) }
            standing = pose
            tally.cells = cleanedCells
            job.beginNext(robot: floor.robot)
            return start(job, noting: &occurrences)
        } else {
            right.goOn()
        }
        returnIfLow(noting: &occurrences)
    }

    /// Drives to where a cleaning begins, or goes on.
    mutating func start(_ job: CleaningJob, noting occurrences: inout [BehaviourOccurrence]) {
        var job = job
        guard let way = floor.way(from: standing, to: job.place, avoiding: blockedCells) else {
            return block(.trapped, noting: &occurrences)
        }
        job.approach = drive(way)
        activity = .cleaning(job)
    }

    private mutating func finish(noting occurrences: inout [BehaviourOccurrence]) {
        leave(for: .idle)
        let result = JSONObject(reporting: [
            .cleanedAreaM2: .number(cleanedAreaM2.rounded(decimals: 2)),
            .cleaningSeconds: .number(cleaningSeconds.rounded()),
        ])
        occurrences.append(.actionEnded(.succeeded(result: result)))
        occurrences.append(.event(.cleaningFinished, detail: result))
        goHome(.finished, noting: &occurrences)
    }

    /// Leaves for the dock when the battery is low: a cleaning goes on after a charge, a drive to a point ends
    /// for good.
    private mutating func returnIfLow(noting occurrences: inout [BehaviourOccurrence]) {
        guard battery.percent <= robot.returnPercent.value, blockages.code == nil else { return }
        var resumed: CleaningJob?
        switch activity {
        case .cleaning(let job): resumed = job
        case .moving:
            let reason = "the battery is at \(Int(battery.percent)) %"
            occurrences.append(.actionEnded(.failed(.lowBattery, message: reason)))
        case .idle, .docked, .paused, .returning, .off: break
        }
        let charge = JSONValue.number(battery.percent.rounded(.down))
        occurrences.append(
            .event(.lowBattery, detail: JSONObject(reporting: [.batteryPercent: charge])))
        goHome(.toCharge(resumed), noting: &occurrences)
    }

    /// Drives to the dock.
    mutating func goHome(
        _ homing: SweepingActivity.Homing, noting occurrences: inout [BehaviourOccurrence]
    ) {
        let pose = pose
        guard let way = floor.wayHome(from: pose, to: dock, avoiding: blockedCells) else {
            return block(.dockNotFound, noting: &occurrences)
        }
        standing = pose
        if case .toCharge(.some) = homing {} else { tally.cells = cleanedCells }
        activity = .returning(drive(way), homing)
    }

    private mutating func dock(
        _ homing: SweepingActivity.Homing, noting occurrences: inout [BehaviourOccurrence]
    ) {
        standing = dock.pose
        switch homing {
        case .commanded:
            activity = .docked(resuming: nil)
            occurrences.append(.actionEnded(.succeeded(result: [:])))
        case .finished: activity = .docked(resuming: nil)
        case .toCharge(let job): activity = .docked(resuming: job)
        }
        if robot.emptiesItself {
            dustbinPercent = 0
            blockages.end(.binFull)
        }
        occurrences.append(.event(.docked, detail: [:]))
    }

    private mutating func switchOffIfEmpty(noting occurrences: inout [BehaviourOccurrence]) {
        switch activity {
        case .docked, .off: return
        case .idle, .paused, .cleaning, .moving, .returning: break
        }
        guard battery.percent <= robot.offPercent.value else { return }
        leave(for: resting.isDocked ? resting : .off(milliseconds: 0))
        let reason = "the battery is at \(Int(battery.percent)) %; the robot switches itself off"
        occurrences.append(.actionEnded(.failed(.lowBattery, message: reason)))
    }

    /// What it does where it stops: on its dock it is docked, also if it has not yet left it.
    var resting: SweepingActivity {
        activity.isDocked || dock.holds(pose.position) ? .docked(resuming: nil) : .idle
    }

    /// A drive from where it stands.
    func drive(_ way: DrivePath) -> Drive {
        Drive(way, headingDeg: pose.headingDeg, robot: floor.robot)
    }

    /// Ends what it does where it is. What a cleaning has cleaned stays counted.
    mutating func leave(for next: SweepingActivity) {
        // What the dock has charged since the last whole second is in the battery before the robot leaves it.
        if activity.isDocked { flow.settle(with: &battery) }
        standing = pose
        tally.cells = cleanedCells
        activity = next
    }
}

extension Int {
    /// The remainder from 0 up.
    fileprivate func remainder(_ divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
