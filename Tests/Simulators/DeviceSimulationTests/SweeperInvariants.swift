import DeviceDomain
import DeviceMessages

@testable import DeviceSimulation

/// What holds from one look at a sweeping robot to the next, whatever it was told to do.
struct SweeperInvariants {
    private let floor: Floor
    private let limits: [PlanSegment]
    private var last: Look?
    /// What did not hold.
    private(set) var violations: [String] = []

    /// A robot at one moment.
    private struct Look {
        let seconds: Double
        let behaviour: SweepingBehaviour
        let values: [Signal: Double]

        var position: PlanPoint { PlanPoint(x: values[.x] ?? .nan, y: values[.y] ?? .nan) }
    }

    init(_ floor: Floor) {
        self.floor = floor
        limits = floor.plan.limits
    }

    /// Looks at the robot.
    /// - Parameter seconds: the time of the world.
    mutating func look(at behaviour: SweepingBehaviour, seconds: Double) {
        var values: [Signal: Double] = [:]
        for (name, value) in behaviour.telemetry {
            if let signal = Signal(rawValue: name) { values[signal] = value.number }
        }
        let look = Look(seconds: seconds, behaviour: behaviour, values: values)
        if look.position != last?.position || look.behaviour.activity.isDocked { checkPlace(look) }
        if let last, !last.behaviour.isPoweredOff {
            checkMovement(last, look)
            checkCounts(last, look)
        }
        last = look
    }

    private mutating func expect(_ holds: Bool, _ what: String, _ look: Look) {
        if !holds {
            violations.append("\(what) at \(look.seconds) s, \(look.behaviour.activityName)")
        }
    }

    private mutating func checkPlace(_ look: Look) {
        let position = look.position
        let clearance = limits.map { $0.distance(to: position) }.min() ?? 0
        expect(clearance >= 0.175, "the body is \(clearance) m from something", look)
        expect(
            floor.plan.room(at: position) != nil && !floor.isOccupied(position),
            "it is in furniture, or outside", look)
        let dock = look.behaviour.dock.pose.position
        expect(
            look.behaviour.activity.isDocked == (position.distance(to: dock) < 0.002)
                || !look.behaviour.activity.isDocked && look.behaviour.reportedActivity != .idle,
            "docked and being at the dock differ", look)
    }

    private mutating func checkMovement(_ last: Look, _ look: Look) {
        let time = look.seconds - last.seconds
        let distance = last.position.distance(to: look.position)
        expect(distance <= 0.3 * time + 0.0015, "it jumped \(distance) m in \(time) s", look)
        let turn = Compass.turn(
            from: last.values[.headingDeg] ?? .nan, to: look.values[.headingDeg] ?? .nan)
        expect(turn.magnitude <= 90 * time + 0.2, "it turned \(turn)° in \(time) s", look)
    }

    private mutating func checkCounts(_ last: Look, _ look: Look) {
        let wasDocked = last.behaviour.activity.isDocked
        if !wasDocked, !look.behaviour.activity.isDocked {
            expect(
                look.behaviour.battery.energyWh <= last.behaviour.battery.energyWh,
                "its charge rose off the dock", look)
        }
        let isSameJob = last.behaviour.tally.jobs == look.behaviour.tally.jobs
        if isSameJob {
            expect(
                look.values[.cleanedAreaM2] ?? 0 >= last.values[.cleanedAreaM2] ?? 0,
                "its area fell", look)
        }
        let isAtWork = [last, look].contains { look in
            if case .cleaning = look.behaviour.activity { true } else { false }
        }
        for part in [Signal.mainBrushMinutes, .sideBrushMinutes, .filterMinutes, .sensorMinutes] {
            let used = (last.values[part] ?? 0) - (look.values[part] ?? 0)
            let most = (look.seconds - last.seconds) / 60 + 0.11
            expect(used >= 0, "\(part) rose", look)
            expect(used <= most, "\(part) fell by \(used)", look)
            expect(isAtWork || used == 0 || !isSameJob, "\(part) fell without work", look)
        }
        expect(
            look.values[.sideBrushMinutes] ?? 0 < look.values[.mainBrushMinutes] ?? 0,
            "the lives of the brushes are mixed up", look)
    }
}
