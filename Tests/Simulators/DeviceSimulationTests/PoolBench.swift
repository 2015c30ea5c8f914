import Basics
import DeviceDomain
import DeviceMessages

@testable import DeviceSimulation

/// A pool robot without rules around it, and what happened to it.
struct PoolBench {
    var behaviour: PoolBehaviour
    var happened: [BehaviourOccurrence] = []

    init(
        _ ratings: PoolSpecification = .p1, seed: UInt64 = 7, home: String = "home-1",
        device: String = "robot-1", at world: Timestamp = BenchClock().world
    ) throws {
        let identity = DeviceIdentity(
            home: try HomeID(home), device: try DeviceID(device),
            model: DeviceModel(rawValue: "pool-p1"), name: "Pool robot")
        let site = PoolSite(
            ratings: ratings, identity: identity, seed: DeviceSeeds(device: seed, home: seed))
        behaviour = PoolBehaviour(site: site, at: world)
    }

    /// Lets seconds of the world pass in one step.
    mutating func step(_ seconds: Double) {
        let end = behaviour.now.advanced(by: .milliseconds(Int((seconds * 1000).rounded())))
        behaviour.step(WorldSpan(end: end, seconds: seconds), noting: &happened)
    }

    /// Lets seconds of the world pass one by one.
    mutating func pass(_ seconds: Int, watching watch: (PoolBehaviour) -> Void = { _ in }) {
        for _ in 0..<seconds {
            step(1)
            watch(behaviour)
        }
    }

    /// Begins an action as a command does.
    mutating func begin(_ name: CommandName, _ arguments: JSONObject = [:]) {
        let request = BehaviourRequest(name, arguments)
        guard behaviour.stateRefusal(of: request, running: nil) == nil,
            behaviour.safetyRefusal(of: request) == nil
        else { return }
        behaviour.begin(action: request, noting: &happened)
    }

    /// Begins a program as a command does.
    mutating func begin(_ program: PoolRobot.Program) {
        begin(.startProgram, ["program": .string(program.rawValue)])
    }

    /// Stops it as a command does.
    mutating func stop() { behaviour.interrupt(noting: &happened) }

    /// The names of the events.
    var events: [String] { happened.compactMap(\.eventName) }

    /// How the actions ended.
    var ends: [ActionOutcome] {
        happened.compactMap { if case .actionEnded(let outcome) = $0 { outcome } else { nil } }
    }

    /// The code with which the last action failed.
    var failure: AckCode? {
        if case .failed(let code, _)? = ends.last { code } else { nil }
    }

    /// The error code that the state reports.
    var error: String? { behaviour.controlled[.error]?.string }
}

/// What holds from one second of a pool robot to the next, whatever people do.
struct PoolInvariants {
    private var last: PoolBehaviour
    private(set) var violations: Set<String> = []

    init(_ behaviour: PoolBehaviour) { last = behaviour }

    /// Goes on from here: what people did since the last second is no step of the robot.
    mutating func resume(at behaviour: PoolBehaviour) { last = behaviour }

    /// Compares the robot with what it was a second ago.
    mutating func check(_ next: PoolBehaviour) {
        defer { last = next }
        let site = next.site
        let (before, after) = (last.drive, next.drive)
        let floor = PoolDrive.floor(at: after.place.x, in: site)
        demand("position inside the pool", site.basin.contains(after.place))
        demand("depth within the pool", after.depthM <= floor + 1e-9)
        demand(
            "depth not above the water",
            after.depthM >= -site.ratings.basin.beachTop.value)
        let drives = site.ratings.drive
        let step = PoolVector(
            x: after.place.x - before.place.x, y: after.place.y - before.place.y)
        if last.isInWater, next.isInWater {
            demand("no jump", step.length <= 0.24 * 1.15 + 1e-9)
            demand("no jump of the depth", (after.depthM - before.depthM).magnitude <= 0.26)
            demand(
                "no jump of the tilt",
                (after.tiltDeg - before.tiltDeg).magnitude <= drives.tiltSpeed.value + 1e-9)
        }
        checkRest(next, floor: floor)
        if case .cleaning = last.activity, case .cleaning = next.activity {
            demand("filter monotone in a program", next.filter.clogged >= last.filter.clogged)
        }
        if let (old, new) = Self.both(last.battery?.energyWh, next.battery?.energyWh) {
            var isAtCharger = false
            if case .charger = next.place { isAtCharger = true }
            if case .charger = last.place { isAtCharger = true }
            demand("battery never rises out of its charger", new <= old || isAtCharger)
        }
    }

    private mutating func checkRest(_ next: PoolBehaviour, floor: Double) {
        guard last.motorCurrentA == 0, next.motorCurrentA == 0, last.place == .water,
            next.place == .water, last.drive.depthM >= 0
        else { return }
        let sunk = min(floor, last.drive.depthM + next.site.unit.sinkSpeed)
        demand("sinks with motors off", (next.drive.depthM - sunk).magnitude < 1e-9)
        demand("stays where it is with motors off", next.drive.place == last.drive.place)
    }

    private mutating func demand(_ name: String, _ holds: Bool) {
        if !holds { violations.insert(name) }
    }

    private static func both<Value>(_ first: Value?, _ second: Value?) -> (Value, Value)? {
        guard let first, let second else { return nil }
        return (first, second)
    }
}
