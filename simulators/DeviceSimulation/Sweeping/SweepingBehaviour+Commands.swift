package import DeviceDomain
import DeviceMessages

extension SweepingBehaviour {
    package func admission(of action: CommandName) -> ActionAdmission {
        action == .returnToDock ? .atOnce : .queued
    }

    package func checkArguments(_ request: BehaviourRequest) throws(ArgumentViolation) {
        if let rooms = request.arguments["rooms"]?.array {
            _ = try RoomSelection(rooms.compactMap(\.integer))
        }
        if let point = PlanPoint(of: request), planner.plan.room(at: point) == nil {
            throw ArgumentViolation(path: "x", reason: "and y must lie inside the floor plan")
        }
    }

    package func stateRefusal(
        of request: BehaviourRequest, running: CommandName?
    ) -> BehaviourRefusal? {
        switch (request.name, activity) {
        case (.pause, .working), (.pause, .returning), (.resume, .paused): nil
        case (.pause, _):
            .wrongState("nothing to pause: the robot is \(activityName)")
        case (.resume, _):
            .wrongState("nothing to resume: the robot is \(activityName)")
        case (.startCleaning, _), (.cleanSpot, _), (.moveTo, _), (.returnToDock, _):
            blockages.refusal
        default: nil
        }
    }

    package mutating func apply(
        setting request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) -> JSONValue {
        let previous = JSONValue.string(level.rawValue)
        let asked = request.arguments["level"]?.string
        level = asked.flatMap(SweepingRobot.SuctionLevel.init) ?? level
        return previous
    }

    package mutating func perform(
        instant request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {
        switch (request.name, activity) {
        case (.pause, .working), (.pause, .returning): activity = .paused(activity)
        case (.resume, .paused(let former)): activity = former
        default: break
        }
    }

    package mutating func begin(
        action request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {
        switch request.name {
        case .returnToDock: beginReturn(noting: &occurrences)
        case .startCleaning: work(cleaning(request), .cleaning)
        case .cleanSpot:
            work(
                PlanPoint(of: request).map { planner.cleaning(around: $0, from: position) },
                .cleaning)
        case .moveTo:
            work(PlanPoint(of: request).map { planner.way(from: position, to: $0) }, .travel)
        default: break
        }
    }

    package mutating func interrupt(noting occurrences: inout [BehaviourOccurrence]) {
        isReturnCommanded = false
        activity = activity.isDocked ? .docked(resuming: nil) : .idle
    }

    private mutating func beginReturn(noting occurrences: inout [BehaviourOccurrence]) {
        guard !activity.isDocked else {
            activity = .docked(resuming: nil)
            return occurrences.append(.actionEnded(.succeeded(result: [:])))
        }
        isReturnCommanded = true
        activity = .returning(wayHome, resuming: nil)
    }

    private mutating func work(_ route: SweepingRoute?, _ kind: SweepingJob.Kind) {
        guard let route else { return }
        if kind == .cleaning { (cleanedAreaM2, cleaningSeconds) = (0, 0) }
        isCharging = false
        activity = .working(SweepingJob(kind: kind, route: route))
    }

    private func cleaning(_ request: BehaviourRequest) -> SweepingRoute {
        let ids = request.arguments["rooms"]?.array?.compactMap(\.integer)
        let rooms = ids?.compactMap(planner.plan.room) ?? planner.plan.rooms
        let passes = request.arguments["passes"]?.integer ?? 1
        return planner.cleaning(of: rooms, passes: passes, from: position)
    }

    /// The way from where it is to the dock.
    var wayHome: SweepingRoute { planner.way(from: position, to: planner.plan.dock) }
}

extension PlanPoint {
    /// The point that a command names with `x` and `y`, if it does.
    init?(of request: BehaviourRequest) {
        guard let x = request.arguments["x"]?.number, let y = request.arguments["y"]?.number else {
            return nil
        }
        self.init(x: x, y: y)
    }
}
