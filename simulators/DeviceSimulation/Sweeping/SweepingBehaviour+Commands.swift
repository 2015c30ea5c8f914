import Basics
package import DeviceDomain
import DeviceMessages

extension SweepingBehaviour {
    package func admission(of action: CommandName) -> ActionAdmission {
        action == .returnToDock ? .atOnce : .queued
    }

    /// A point where something stands is taken: the robot drives as near to it as it can, as Roborock's robots
    /// do. One in an area to keep out of is refused, because somebody has forbidden to go there.
    package func checkArguments(_ request: BehaviourRequest) throws(ArgumentViolation) {
        if let rooms = request.arguments["rooms"]?.array {
            _ = try RoomSelection(rooms.compactMap(\.integer))
        }
        guard let point = PlanPoint(of: request) else { return }
        guard floor.plan.room(at: point) != nil else {
            throw ArgumentViolation(path: "x", reason: "and y must lie inside the floor plan")
        }
        guard floor.isForbidden(point) else { return }
        let nearest = floor.standingPoint(near: point).map { " is x=\($0.x), y=\($0.y)" } ?? "none"
        throw ArgumentViolation(
            path: "x",
            reason: "and y lie in an area to keep out of; the nearest free point\(nearest)")
    }

    package func stateRefusal(
        of request: BehaviourRequest, running: CommandName?
    ) -> BehaviourRefusal? {
        if isPoweredOff { return BehaviourRefusal(.notReady, "the robot is off: charge it") }
        switch (request.name, activity) {
        case (.pause, .cleaning), (.pause, .moving), (.pause, .returning), (.resume, .paused):
            return nil
        case (.pause, _):
            return .wrongState("nothing to pause: the robot is \(activityName)")
        case (.resume, _):
            return .wrongState("nothing to resume: the robot is \(activityName)")
        case (.startCleaning, _), (.cleanSpot, _):
            return blockages.refusal(sparing: .dockNoPower)
                ?? battery.refusal(below: robot.startPercent.value)
        case (.moveTo, _):
            return blockages.refusal(sparing: .dockNoPower)
                ?? battery.refusal(below: robot.returnPercent.value + 1)
        case (.returnToDock, _): return blockages.refusal(sparing: .binFull, .dockNoPower)
        default: return nil
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
        case (.pause, .cleaning), (.pause, .moving), (.pause, .returning):
            standing = pose
            activity = .paused(activity)
        case (.resume, .paused(let former)):
            activity = former.resumed(from: standing)
            right.beginAnew()
        default: break
        }
    }

    package mutating func begin(
        action request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {
        let variation = CleaningVariation(seed: seed, jobs: tally.jobs)
        right.beginAnew()
        if request.name != .returnToDock { blockages.end(.dockNoPower) }
        switch request.name {
        case .returnToDock:
            guard !activity.isDocked else {
                leave(for: .docked(resuming: nil))
                return occurrences.append(.actionEnded(.succeeded(result: [:])))
            }
            goHome(.commanded, noting: &occurrences)
        case .startCleaning:
            clean(along: floor.cleaning(request, variation), noting: &occurrences)
        case .cleanSpot:
            clean(along: floor.spot(request, variation), noting: &occurrences)
        case .moveTo:
            guard let point = PlanPoint(of: request).flatMap(floor.standingPoint),
                let way = floor.way(from: pose, to: point, avoiding: blockedCells)
            else { return block(.trapped, noting: &occurrences) }
            leave(for: .moving(drive(way)))
        default: break
        }
    }

    package mutating func interrupt(noting occurrences: inout [BehaviourOccurrence]) {
        // Who stops a cleaning finds it idle, also where it has not left its dock yet.
        leave(for: activity.isDocked ? .docked(resuming: nil) : .idle)
    }

    private mutating func clean(
        along paths: [DrivePath], noting occurrences: inout [BehaviourOccurrence]
    ) {
        let job = CleaningJob(paths, robot: floor.robot)
        leave(for: resting)
        tally = CleaningTally(jobs: tally.jobs + 1)
        guard let job else { return block(.trapped, noting: &occurrences) }
        start(job, noting: &occurrences)
    }
}

extension Floor {
    /// The ways of a cleaning of rooms, or of all of them.
    fileprivate func cleaning(
        _ request: BehaviourRequest, _ variation: CleaningVariation
    ) -> [DrivePath] {
        let ids = request.arguments["rooms"]?.array?.compactMap(\.integer)
        let rooms = ids?.compactMap(plan.room) ?? plan.rooms
        let passes = request.arguments["passes"]?.integer ?? 1
        return rooms.flatMap { room in
            let first = variation.variant(room.id)
            // The lanes of the second pass cross those of the first.
            return (0..<passes).compactMap { cleaning(of: room, first.turned($0)) }
        }
    }

    /// The way of a cleaning around a point.
    fileprivate func spot(
        _ request: BehaviourRequest, _ variation: CleaningVariation
    ) -> [DrivePath] {
        guard let spot = PlanPoint(of: request).flatMap(standingPoint),
            let path = cleaning(around: spot, variation.variant(0))
        else { return [] }
        return [path]
    }
}

/// In which way a cleaning differs from the ones before.
private struct CleaningVariation {
    /// What the differences between cleanings of one robot derive from.
    let seed: UInt64
    /// How many cleanings it has begun before.
    let jobs: Int

    /// For one room.
    func variant(_ room: Int) -> CoveragePlanner.Variant {
        let bits = SeededGenerator.mix(seed &+ UInt64(jobs) &* 0x1_0000 &+ UInt64(room))
        return CoveragePlanner.Variant(number: Int(bits % UInt64(CoveragePlanner.Variant.count)))
    }
}

extension BatteryPack {
    /// Why it cannot do what needs so much charge, in percent, if it cannot.
    fileprivate func refusal(below least: Double) -> BehaviourRefusal? {
        guard percent < least else { return nil }
        return BehaviourRefusal(
            .notReady,
            "the battery is at \(Int(percent)) %, and it needs \(Int(least)) %; charge it")
    }
}

extension CoveragePlanner.Variant {
    /// The variant of a later pass.
    fileprivate func turned(_ pass: Int) -> Self { Self(number: number ^ (pass & 1)) }
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
