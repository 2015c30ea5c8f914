package import DeviceDomain
import DeviceMessages

extension PoolBehaviour {
    package func admission(of action: CommandName) -> ActionAdmission {
        action == .surface ? .atOnce : .queued
    }

    package func checkArguments(_ request: BehaviourRequest) throws(ArgumentViolation) {
        guard request.name == .setSchedule else { return }
        _ = try WeeklySchedule(of: request)
    }

    package func stateRefusal(
        of request: BehaviourRequest, running: CommandName?
    ) -> BehaviourRefusal? {
        switch request.name {
        case .pause:
            if case .cleaning = activity { return nil }
            return .wrongState("nothing to pause: the robot is \(activityName)")
        case .resume:
            if case .paused = activity { return nil }
            return .wrongState("nothing to resume: the robot is \(activityName)")
        case .surface:
            return isInWater ? faultRefusal : .wrongState("the robot is not in the water")
        case .startProgram: return startRefusal(running: running)
        default: return nil
        }
    }

    private var faultRefusal: BehaviourRefusal? {
        blockages.refusal ?? fault.map { .wrongState("the robot reports \($0); stop it first") }
    }

    private func startRefusal(running: CommandName?) -> BehaviourRefusal? {
        if let faultRefusal { return faultRefusal }
        if running == nil, run != nil {
            return BehaviourRefusal(.busy, "a program of the schedule runs; stop it first")
        }
        guard let battery, needsCharge else { return nil }
        return BehaviourRefusal(.notReady, "the battery is at \(Int(battery.percent)) %")
    }

    package func safetyRefusal(of request: BehaviourRequest) -> BehaviourRefusal? {
        guard request.name == .startProgram, !isInWater else { return nil }
        return BehaviourRefusal(.unsafe, "the pump must not run out of the water")
    }

    package mutating func apply(
        setting request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) throws(ArgumentViolation) -> JSONValue {
        switch request.name {
        case .setPowerLevel:
            let previous = JSONValue.string(settings.level.rawValue)
            let asked = request.arguments["level"]?.string
            settings.level = asked.flatMap(PoolRobot.PowerLevel.init) ?? settings.level
            return previous
        case .setSchedule:
            let previous = settings.schedule.json
            settings.schedule = try WeeklySchedule(of: request)
            return previous
        default: return .null
        }
    }

    package mutating func reconcile(
        desired document: JSONObject, revision: Int
    ) throws(ArgumentViolation) -> Bool {
        guard revision > settings.desiredRevision else { return true }
        if let entries = document["schedule"] {
            settings.schedule = try WeeklySchedule(json: entries)
        }
        settings.desiredRevision = revision
        return true
    }

    package mutating func perform(
        instant request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {
        switch (request.name, activity) {
        case (.pause, .cleaning(let run)):
            activity = .paused(run)
            drive.switchOff()
        case (.resume, .paused(var run)):
            run.protection = PoolProtection()
            activity = .cleaning(run)
        default: break
        }
    }

    package mutating func begin(
        action request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {
        switch request.name {
        case .surface where isAtSurface:
            activity = .holding(seconds: 0)
            occurrences.append(.actionEnded(.succeeded(result: [:])))
        case .surface:
            activity = .surfacing(PoolProtection(), isAction: true)
            drive.start(.surface, at: now.milliseconds / 1000, in: site)
        case .startProgram:
            let program = request.arguments["program"]?.string.flatMap(PoolRobot.Program.init)
            start(program ?? .floor, isAction: true)
        default: break
        }
    }

    /// Starts a program; the robot moves from the next second on.
    mutating func start(_ program: PoolRobot.Program, isAction: Bool) {
        owner.forget()
        drive.switchOff()
        activity = .cleaning(
            PoolRun(
                program: program, total: site.ratings.programs.seconds(of: program),
                isAction: isAction))
    }

    /// Ends whatever it does. Switching it off also ends an error, unless its cause is still there.
    package mutating func interrupt(noting occurrences: inout [BehaviourOccurrence]) {
        switch activity {
        case .failed(.outOfWater) where !isInWater, .failed(.supplyOverheat): break
        case .idle, .holding, .cleaning, .paused, .surfacing, .failed: rest()
        }
    }
}

extension WeeklySchedule {
    /// What `set-schedule` asks for.
    fileprivate init(of request: BehaviourRequest) throws(ArgumentViolation) {
        try self.init(json: request.arguments["entries"] ?? .null)
    }
}
