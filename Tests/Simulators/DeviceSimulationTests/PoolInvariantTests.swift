import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// What holds for pool robots whatever happens to them.
@Suite struct PoolInvariantTests {
    @Test(arguments: ["pool-p1", "pool-c1"], 1...12 as ClosedRange<UInt64>)
    func invariantsHoldForRandomLives(_ model: String, _ seed: UInt64) throws {
        var life = try PoolLife(model == "pool-p1" ? .p1 : .c1, seed: seed)
        try life.live(times: 120)
        #expect(life.findings == [])
    }

    /// The result depends on the instants, not on how often the world was stepped between them.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func sameInstantsGiveTheSameWorld(_ seed: UInt64) throws {
        let lives = try [1000, 5000, 617].map { milliseconds in
            var life = try PoolLife(.c1, seed: seed)
            life.longestStep = milliseconds
            try life.live(times: 80)
            return life
        }
        for life in lives.dropFirst() {
            #expect(life.pool.behaviour.memory == lives[0].pool.behaviour.memory)
            #expect(life.pool.behaviour.controlled == lives[0].pool.behaviour.controlled)
            #expect(life.pool.behaviour.telemetry == lives[0].pool.behaviour.telemetry)
            #expect(life.pool.happened == lives[0].pool.happened)
        }
    }

    /// Two robots of one home, and the robots of two homes, with the same commands.
    @Test func twoRobotsNeverGiveTheSameSeries() throws {
        var robots = try [("home-1", "pool-1"), ("home-1", "pool-2"), ("home-2", "pool-1")].map {
            try PoolBench(home: $0.0, device: $0.1)
        }
        for index in robots.indices { robots[index].begin(.full) }
        let names = ["depthM", "x", "y", "headingDeg", "motorCurrentA", "tiltDeg"]
        var equal = names.map { _ in 0 }
        for _ in 0..<1440 {
            for index in robots.indices { robots[index].step(5) }
            let samples = robots.map { $0.behaviour.telemetry }
            for (place, name) in names.enumerated() {
                for (one, other) in [(0, 1), (0, 2), (1, 2)]
                where samples[one][name] == samples[other][name] {
                    equal[place] += 1
                }
            }
        }
        for (name, count) in zip(names, equal) {
            #expect(count < 3 * 1440 / 10, "\(name): \(count) of \(3 * 1440)")
        }
    }

    @Test func poolsDifferFromHomeToHomeAndRobotsOfAHomeShareOne() throws {
        let pools = try (1...40).map { try PoolBench(home: "home-\($0)").behaviour.site.basin }
        #expect(Set(pools.map(\.length)).count == 40)
        #expect(Set(pools.map(\.shape)).count == PoolBasin.Shape.allCases.count)
        #expect(Set(pools.map { $0.beach > 0 }) == [true, false])
        let robots = try ["a", "b"].map { try PoolBench(device: $0).behaviour.site }
        #expect(robots[0].basin == robots[1].basin)
        #expect(robots[0].climate == robots[1].climate)
        #expect(robots[0].unit != robots[1].unit)
    }

    /// The pool is the home's, even though each device has a seed of its own.
    @Test func robotsWithSeedsOfTheirOwnShareThePoolOfTheirHome() throws {
        let basins = try (1...2).map { number in
            let device = try SimulatedDevice(
                identity: try DeviceBench.identity("pool-p1"), seed: UInt64(number), homeSeed: 9,
                boot: BootID("b1"), telemetryInterval: .seconds(5), at: BenchClock().now)
            return try #require(device.behaviour as? PoolBehaviour).site.basin
        }
        #expect(basins[0] == basins[1])
    }
}

/// A pool robot that lives through random commands, faults and waits.
private struct PoolLife {
    var pool: PoolBench
    /// What did not hold.
    private(set) var findings: [InvariantFinding] = []
    private var watch = DeviceInspector()
    /// The longest step, in milliseconds.
    var longestStep = 1000
    private var generator: SeededGenerator

    init(_ ratings: PoolSpecification, seed: UInt64) throws {
        pool = try PoolBench(ratings, seed: seed, home: "home-\(seed)")
        generator = SeededGenerator(seed: seed)
    }

    mutating func live(times: Int) throws {
        for _ in 0..<times {
            try act()
            // Long enough for the owner to come now and then.
            let isLong = Int.random(in: 0..<12, using: &generator) == 0
            pass(Int.random(in: isLong ? 600...2400 : 1...240, using: &generator))
        }
    }

    private mutating func act() throws {
        switch Int.random(in: 0..<14, using: &generator) {
        case 0..<4:
            pool.begin(PoolRobot.Program.allCases.randomElement(using: &generator) ?? .full)
        case 4, 5: pool.begin(.surface)
        case 6: pool.stop()
        case 7: perform(.pause)
        case 8: perform(.resume)
        case 9:
            let level = PoolRobot.PowerLevel.allCases.randomElement(using: &generator) ?? .eco
            pool.behaviour.settings.level = level
        case 10: try suffer(.outOfWater)
        case 11: try suffer(.stuck)
        case 12:
            let percent = Double.random(in: 0...100, using: &generator)
            pool.behaviour.filter.restore(
                percent: max(percent, pool.behaviour.filter.percent),
                pool.behaviour.site.ratings.filter)
        default:
            // Down only: nothing else takes so much at once.
            let share = Double.random(in: 0.1...1, using: &generator)
            let energy = pool.behaviour.battery?.energyWh ?? 0
            pool.behaviour.battery?.restore(energyWh: energy * share)
        }
    }

    private mutating func perform(_ name: CommandName) {
        let request = BehaviourRequest(name)
        guard pool.behaviour.stateRefusal(of: request, running: nil) == nil else { return }
        pool.behaviour.perform(instant: request, noting: &pool.happened)
    }

    private mutating func suffer(_ fault: SimulatedFault) throws {
        watch.handled()
        if Bool.random(using: &generator) {
            pool.behaviour.begin(fault: try Fault(fault), noting: &pool.happened)
        } else {
            pool.behaviour.end(fault: fault, noting: &pool.happened)
        }
    }

    private mutating func pass(_ seconds: Int) {
        var rest = seconds * 1000
        while rest > 0 {
            let step = min(rest, longestStep)
            pool.step(Double(step) / 1000)
            rest -= step
            if longestStep == 1000 {
                findings += watch.look(at: pool.behaviour, pool.behaviour.now)
            }
        }
    }
}
