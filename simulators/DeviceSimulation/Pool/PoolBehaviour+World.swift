import DeviceDomain
import DeviceMessages

extension PoolBehaviour {
    /// The longest time that is integrated at once while the robot works, in seconds.
    private static let longestStep = 1.0

    package mutating func step(
        _ span: WorldSpan, noting occurrences: inout [BehaviourOccurrence]
    ) {
        now = span.end
        var rest = span.seconds
        while rest > 0 {
            let step = stepInterval == nil ? rest : min(rest, Self.longestStep)
            advance(by: step, noting: &occurrences)
            rest -= step
        }
        startIfScheduled(within: span)
    }

    private mutating func advance(
        by seconds: Double, noting occurrences: inout [BehaviourOccurrence]
    ) {
        switch activity {
        case .cleaning(var run):
            run.elapsed = min(run.total, run.elapsed + seconds)
            activity = .cleaning(run)
            clean(run, for: seconds, noting: &occurrences)
        case .surfacing: surface(for: seconds, noting: &occurrences)
        case .idle: rest(for: seconds)
        case .paused, .error:
            dive.rest(seconds: seconds)
            if !isInWater { standOutside(for: seconds) }
        }
    }

    private mutating func clean(
        _ run: Run, for seconds: Double, noting occurrences: inout [BehaviourOccurrence]
    ) {
        drainMotors(for: seconds)
        guard isInWater else { return runDry(run, for: seconds, noting: &occurrences) }
        drySeconds = 0
        dive.follow(run.program, elapsed: run.elapsed, seconds: seconds)
        clog(for: seconds, noting: &occurrences)
        if run.elapsed >= run.total {
            finish(run, noting: &occurrences)
        } else if let battery, battery.percent <= PoolConstants.lowBatteryPercent {
            giveUp(run, at: battery, noting: &occurrences)
        }
    }

    private mutating func drainMotors(for seconds: Double) {
        let watts = motorCurrentA * PoolConstants.supplyV
        battery?.drain(watts: watts, seconds: seconds)
    }

    private mutating func clog(
        for seconds: Double, noting occurrences: inout [BehaviourOccurrence]
    ) {
        let open = 1 - filterPercent / 100
        let area = PoolConstants.coverageM2PerSecond * seconds
        filterPercent += 100 * PoolConstants.cloggingPerM2 * area * open
        guard filterPercent >= PoolConstants.filterFullPercent, !hasReportedFilter else { return }
        hasReportedFilter = true
        let filled = JSONObject(reporting: [.filterPercent: .number(filterPercent.rounded())])
        occurrences.append(.event(.filterFull, detail: filled))
    }

    private mutating func finish(_ run: Run, noting occurrences: inout [BehaviourOccurrence]) {
        activity = .idle
        // The owner empties a full filter once the program is over.
        if hasReportedFilter { (filterPercent, hasReportedFilter) = (0, false) }
        let detail: JSONObject = [
            "program": .string(run.program.rawValue),
            "minutes": .number((run.elapsed / 60).rounded()),
        ]
        if run.isAction { occurrences.append(.actionEnded(.succeeded(result: detail))) }
        occurrences.append(.event(.programFinished, detail: detail))
    }

    private mutating func giveUp(
        _ run: Run, at battery: BatteryPack, noting occurrences: inout [BehaviourOccurrence]
    ) {
        activity = .surfacing
        let percent = battery.percent.rounded(.down)
        if run.isAction {
            let reason = "the battery is at \(Int(percent)) %"
            occurrences.append(.actionEnded(.failed(.lowBattery, message: reason)))
        }
        let charge = JSONObject(reporting: [.batteryPercent: .number(percent)])
        occurrences.append(.event(.lowBattery, detail: charge))
    }

    private mutating func runDry(
        _ run: Run, for seconds: Double, noting occurrences: inout [BehaviourOccurrence]
    ) {
        drySeconds += seconds
        guard drySeconds > PoolConstants.dryLimitSeconds else { return }
        activity = .error(PoolConstants.outOfWater)
        if run.isAction {
            let reason = "the pump ran dry for \(Int(PoolConstants.dryLimitSeconds)) s"
            occurrences.append(.actionEnded(.failed(.hardwareFault, message: reason)))
        }
        occurrences.append(.event(.outOfWater, detail: ["code": .string(PoolConstants.outOfWater)]))
    }

    private mutating func surface(
        for seconds: Double, noting occurrences: inout [BehaviourOccurrence]
    ) {
        drainMotors(for: seconds)
        dive.rise(seconds: seconds)
        guard dive.isAtSurface else { return }
        activity = .idle
        occurrences.append(.actionEnded(.succeeded(result: [:])))
    }

    /// Rests; a cordless robot is lifted out by its owner to be charged.
    private mutating func rest(for seconds: Double) {
        dive.rest(seconds: seconds)
        guard isInWater else { return standOutside(for: seconds) }
        guard blockages.code == nil else { return }
        restSeconds += seconds
        battery?.drain(watts: PoolConstants.idleW, seconds: seconds)
        guard let battery, battery.percent < PoolConstants.chargedBelowPercent,
            restSeconds >= PoolConstants.ownerDelaySeconds
        else { return }
        place(inWater: false)
    }

    /// Stands beside the pool until the owner puts it back: a cordless robot once it is charged, a
    /// tethered one after ``PoolConstants/ownerDelaySeconds``.
    private mutating func standOutside(for seconds: Double) {
        restSeconds += seconds
        battery?.fill(seconds: seconds)
        let isReady = battery?.isFull ?? (restSeconds >= PoolConstants.ownerDelaySeconds)
        if isReady, !isKeptOutside { place(inWater: true) }
    }

    private mutating func startIfScheduled(within span: WorldSpan) {
        guard case .idle = activity, isInWater, blockages.code == nil,
            let program = PoolSchedule.due(schedule, within: span)
        else { return }
        start(program, isAction: false)
    }
}
