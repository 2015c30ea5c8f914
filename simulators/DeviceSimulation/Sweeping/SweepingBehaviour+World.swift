import DeviceDomain
import DeviceMessages

extension SweepingBehaviour {
    /// The longest step between two checks of the battery, in seconds.
    private static let longestStep = 1.0

    package mutating func step(
        _ span: WorldSpan, noting occurrences: inout [BehaviourOccurrence]
    ) {
        var rest = span.seconds
        while rest > 0 {
            let step = activity.isMoving ? min(rest, Self.longestStep) : rest
            rest -= advance(by: step, noting: &occurrences)
        }
    }

    /// Continues the present activity.
    /// - Returns: the time that was used up, in seconds; never nothing.
    private mutating func advance(
        by seconds: Double, noting occurrences: inout [BehaviourOccurrence]
    ) -> Double {
        switch activity {
        case .docked(let job):
            return rest(onDock: seconds, resuming: job)
        case .idle:
            battery.drain(watts: SweepingConstants.idleW, seconds: seconds)
            returnIfLow(noting: &occurrences)
            return seconds
        case .paused:
            // A pause holds even with a low battery; the robot returns to charge on resume.
            battery.drain(watts: SweepingConstants.idleW, seconds: seconds)
            return seconds
        case .working(let job):
            return work(on: job, for: seconds, noting: &occurrences)
        case .returning(let route, let job):
            return goHome(on: route, resuming: job, for: seconds, noting: &occurrences)
        }
    }

    private mutating func rest(onDock seconds: Double, resuming job: SweepingJob?) -> Double {
        battery.fill(seconds: seconds)
        isCharging = !battery.isFull
        if let job, battery.percent >= SweepingConstants.resumePercent { resume(job) }
        return seconds
    }

    private mutating func resume(_ job: SweepingJob) {
        isCharging = false
        activity = .working(job)
    }

    private mutating func work(
        on job: SweepingJob, for seconds: Double, noting occurrences: inout [BehaviourOccurrence]
    ) -> Double {
        var job = job
        let used: Double
        if var approach = job.approach {
            used = drive(&approach, for: seconds)
            job.approach = approach.isOver ? nil : approach
        } else {
            used = drive(&job.route, for: seconds)
        }
        activity = .working(job)
        if job.isOver {
            end(job, noting: &occurrences)
        } else {
            returnIfLow(noting: &occurrences)
        }
        return max(used, .leastNormalMagnitude)
    }

    private mutating func drive(_ route: inout SweepingRoute, for seconds: Double) -> Double {
        var used = 0.0
        while used < seconds, !route.isOver {
            let drive = route.drive(seconds - used, position: &position, heading: &headingDeg)
            cleanedAreaM2 += drive.area
            cleaningSeconds += drive.cleaningSeconds
            dustbinPercent = min(
                100, dustbinPercent + drive.area * SweepingConstants.dustPercentPerM2)
            battery.drain(watts: watts(of: drive), seconds: drive.seconds)
            used += drive.seconds
        }
        return used
    }

    private func watts(of drive: SweepingRoute.Drive) -> Double {
        let fan = drive.cleaningSeconds > 0 ? SweepingConstants.fanW(level) : 0
        return SweepingConstants.driveW + fan
    }

    private mutating func end(
        _ job: SweepingJob, noting occurrences: inout [BehaviourOccurrence]
    ) {
        switch job.kind {
        case .travel:
            activity = .idle
            occurrences.append(.actionEnded(.succeeded(result: [:])))
        case .cleaning:
            activity = .returning(wayHome, resuming: nil)
            let result = JSONObject(reporting: [
                .cleanedAreaM2: .number(cleanedAreaM2.rounded(decimals: 2)),
                .cleaningSeconds: .number(cleaningSeconds.rounded()),
            ])
            occurrences.append(.actionEnded(.succeeded(result: result)))
            occurrences.append(.event(.cleaningFinished, detail: result))
        }
    }

    private mutating func goHome(
        on route: SweepingRoute, resuming job: SweepingJob?, for seconds: Double,
        noting occurrences: inout [BehaviourOccurrence]
    ) -> Double {
        var route = route
        let used = drive(&route, for: seconds)
        if route.isOver {
            dock(resuming: job, noting: &occurrences)
        } else {
            activity = .returning(route, resuming: job)
        }
        return max(used, .leastNormalMagnitude)
    }

    private mutating func dock(
        resuming job: SweepingJob?, noting occurrences: inout [BehaviourOccurrence]
    ) {
        activity = .docked(resuming: job)
        isCharging = !battery.isFull
        if model.emptiesItself || dustbinPercent >= SweepingConstants.emptiedAtPercent {
            dustbinPercent = 0
        }
        if isReturnCommanded { occurrences.append(.actionEnded(.succeeded(result: [:]))) }
        isReturnCommanded = false
        occurrences.append(.event(.docked, detail: [:]))
    }

    /// Leaves for the dock when the battery is low: a cleaning goes on after a charge, a drive to
    /// a point ends for good.
    private mutating func returnIfLow(noting occurrences: inout [BehaviourOccurrence]) {
        guard battery.percent <= SweepingConstants.returnPercent, blockages.code == nil else {
            return
        }
        let job = activity.job
        var resumed: SweepingJob?
        if case .working(var cleaning) = activity, cleaning.kind == .cleaning {
            cleaning.approach = planner.way(from: planner.plan.dock, to: position)
            resumed = cleaning
        } else if job != nil || isReturnCommanded {
            let reason = "the battery is at \(Int(battery.percent)) %"
            occurrences.append(.actionEnded(.failed(.lowBattery, message: reason)))
            isReturnCommanded = false
        }
        activity = .returning(wayHome, resuming: resumed)
        let charge = JSONValue.number(battery.percent.rounded(.down))
        occurrences.append(
            .event(.lowBattery, detail: JSONObject(reporting: [.batteryPercent: charge])))
    }
}
