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
