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
        if let battery, battery.percent < PoolConstants.startPercent {
            return BehaviourRefusal(.notReady, "the battery is at \(Int(battery.percent)) %")
        }
        return nil
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
            let previous = JSONValue.string(level.rawValue)
            let asked = request.arguments["level"]?.string
            level = asked.flatMap(PoolRobot.PowerLevel.init) ?? level
            return previous
        case .setSchedule:
            let previous = schedule.json
            schedule = try WeeklySchedule(of: request)
            return previous
        default: return .null
        }
    }

    package mutating func reconcile(
        desired settings: JSONObject, revision: Int
    ) throws(ArgumentViolation) -> Bool {
        guard revision > desiredRevision else { return true }
        if let entries = settings["schedule"] { schedule = try WeeklySchedule(json: entries) }
        desiredRevision = revision
        return true
    }

    package mutating func perform(
        instant request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {
        switch (request.name, activity) {
        case (.pause, .cleaning(let run)): activity = .paused(run)
        case (.resume, .paused(let run)): activity = .cleaning(run)
        default: break
        }
    }

    package mutating func begin(
        action request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {
        switch request.name {
        case .surface where dive.isAtSurface:
            activity = .idle
            occurrences.append(.actionEnded(.succeeded(result: [:])))
        case .surface:
            activity = .surfacing
        case .startProgram:
            let program = request.arguments["program"]?.string.flatMap(PoolRobot.Program.init)
            start(program ?? .floor, isAction: true)
        default: break
        }
    }

    /// Starts a program.
    mutating func start(_ program: PoolRobot.Program, isAction: Bool) {
        (drySeconds, restSeconds) = (0, 0)
        activity = .cleaning(
            Run(program: program, total: model.seconds(of: program), isAction: isAction))
    }

    package mutating func interrupt(noting occurrences: inout [BehaviourOccurrence]) {
        if fault == nil || isInWater { activity = .idle }
    }

    /// Lifts the robot out of the water, or puts it back.
    package mutating func place(inWater: Bool) {
        isInWater = inWater
        (drySeconds, restSeconds) = (0, 0)
    }
}

extension WeeklySchedule {
    /// What `set-schedule` asks for.
    fileprivate init(of request: BehaviourRequest) throws(ArgumentViolation) {
        try self.init(json: request.arguments["entries"] ?? .null)
    }
}
