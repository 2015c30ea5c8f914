import Basics
import DeviceDomain
import DeviceMessages

@testable import DeviceSimulation

/// A sweeping robot without rules around it.
struct SweeperWalker {
    var behaviour: SweepingBehaviour
    var happened: [BehaviourOccurrence] = []
    private(set) var seconds = 0.0

    init(
        _ robot: SweeperSpecification = .s1, on floor: Floor = TestFloors.floor(0), seed: UInt64 = 1
    ) {
        behaviour = SweepingBehaviour(robot, on: floor, dockNumber: 0, seed: seed)
    }

    /// How the action ended, if it did.
    var result: ActionOutcome? {
        for case .actionEnded(let outcome) in happened { return outcome }
        return nil
    }

    /// The names of the events so far.
    var events: [String] { happened.compactMap(\.eventName) }

    /// What its world clock shows.
    var world: Timestamp {
        BenchClock().world.advanced(by: .milliseconds(Int((seconds * 1000).rounded())))
    }

    mutating func step(_ time: Double) {
        seconds += time
        behaviour.step(WorldSpan(end: world, seconds: time), noting: &happened)
    }

    mutating func begin(_ name: CommandName, _ arguments: JSONObject = [:]) {
        behaviour.begin(action: BehaviourRequest(name, arguments), noting: &happened)
    }

    mutating func perform(_ name: CommandName) {
        behaviour.perform(instant: BehaviourRequest(name), noting: &happened)
    }

    /// Steps until the action has ended.
    mutating func finish(within limit: Double = 40_000, by time: Double = 1) {
        while result == nil, seconds < limit { step(time) }
    }

    /// Steps until it stands on its dock.
    mutating func goHome(within limit: Double = 40_000) {
        while !behaviour.activity.isDocked, seconds < limit { step(1) }
    }
}

extension BehaviourOccurrence {
    /// The name of the event, if this is one.
    var eventName: String? { if case .event(let name, _) = self { name.text } else { nil } }
}

/// The floors of the tests, each made once.
enum TestFloors {
    private static let library = FloorLibrary(for: .standard)

    /// One floor of each template, each changed in another way.
    static let variants = FloorTemplate.all.indices.map { template in
        FloorVariant(
            template: template, isMirroredX: template & 1 == 1, isMirroredY: template & 2 == 2,
            scale: template % 3, arrangement: template % 4)
    }

    /// The floor of a template.
    static func floor(_ template: Int) -> Floor { library.floor(variants[template]) }
}

/// A sweeping robot that lives through random commands.
struct SweeperLife {
    private(set) var walker: SweeperWalker
    /// What did not hold.
    private(set) var findings: [InvariantFinding] = []
    private var watch = DeviceInspector()
    private var generator: SeededGenerator

    init(_ robot: SweeperSpecification, on floor: Floor, seed: UInt64, commands: Int = 40) {
        walker = SweeperWalker(robot, on: floor, seed: seed)
        generator = SeededGenerator(seed: seed)
        for _ in 0..<commands { live() }
    }

    private mutating func live() {
        switch Int.random(in: 0..<14, using: &generator) {
        case 0, 1: command(.startCleaning, rooms())
        case 2, 3: command(.moveTo, point())
        case 4: command(.cleanSpot, point())
        case 5: command(.returnToDock)
        case 6, 11: if allows(.pause) { walker.perform(.pause) }
        case 7, 12: if allows(.resume) { walker.perform(.resume) }
        case 8: walker.behaviour.interrupt(noting: &walker.happened)
        case 9:
            walker.behaviour.level =
                SweepingRobot.SuctionLevel.allCases.randomElement(using: &generator) ?? .max
        case 10:
            let percent = Double.random(in: 4...70, using: &generator)
            if walker.behaviour.battery.percent > percent {
                walker.behaviour.battery.restore(percent: percent)
            }
        default:
            if case .off = walker.behaviour.activity { for _ in 0..<500 { walker.step(60) } }
        }
        // Samples do not lie at whole seconds.
        let time = Double.random(in: 0.3...2, using: &generator)
        for _ in 0..<Int.random(in: 1...60, using: &generator) {
            walker.step((time * 1000).rounded() / 1000)
            findings += watch.look(at: walker.behaviour, walker.world)
        }
    }

    private mutating func command(_ name: CommandName, _ arguments: JSONObject = [:]) {
        let request = BehaviourRequest(name, arguments)
        guard (try? walker.behaviour.checkArguments(request)) != nil,
            walker.behaviour.stateRefusal(of: request, running: nil) == nil
        else { return }
        walker.behaviour.begin(action: request, noting: &walker.happened)
    }

    private func allows(_ name: CommandName) -> Bool {
        walker.behaviour.stateRefusal(of: BehaviourRequest(name), running: nil) == nil
    }

    private mutating func rooms() -> JSONObject {
        let rooms = walker.behaviour.floor.plan.rooms.map(\.id).shuffled(using: &generator)
        let passes = Int.random(in: 1...2, using: &generator)
        return [
            "rooms": .array(rooms.prefix(2).map(JSONValue.integer)), "passes": .integer(passes),
        ]
    }

    private mutating func point() -> JSONObject {
        let bounds = walker.behaviour.floor.plan.bounds
        return [
            "x": .number(Double.random(in: bounds.x, using: &generator)),
            "y": .number(Double.random(in: bounds.y, using: &generator)),
        ]
    }
}
