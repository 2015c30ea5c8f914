import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// What the programs of a pool robot clean, and what power level and filter do to them.
@Suite struct PoolProgramTests {
    /// How a program was driven.
    private struct Trace {
        var seconds = 0
        var onWalls = 0
        var atLine = 0
        var lineDepths: [Double] = []
        var sideways = 0.0
        var heights: [Double] = []
        var steepest = 0.0
        var currents: [Double] = []

        mutating func note(_ robot: PoolBehaviour) {
            guard robot.run != nil else { return }
            seconds += 1
            if robot.drive.tiltDeg > 80 { onWalls += 1 }
            if case .following = robot.drive.phase {
                atLine += 1
                lineDepths.append(robot.drive.depthM)
            }
            steepest = max(steepest, robot.drive.tiltDeg)
            heights.append(robot.drive.depthM)
            currents.append(robot.motorCurrentA)
        }

        var wallShare: Double { Double(onWalls) / Double(seconds) }
        var lineShare: Double { Double(atLine) / Double(seconds) }
    }

    private func run(
        _ program: PoolRobot.Program, home: String, level: PoolRobot.PowerLevel = .normal
    ) throws -> (pool: PoolBench, trace: Trace) {
        var pool = try PoolBench(home: home)
        var trace = Trace()
        pool.behaviour.settings.level = level
        pool.behaviour.start(program, isAction: true)
        while pool.behaviour.run != nil { pool.pass(1) { trace.note($0) } }
        return (pool, trace)
    }

    @Test(arguments: ["home-1", "home-2", "home-3", "home-4"])
    func theFloorProgramStaysOnTheFloor(_ home: String) throws {
        let (pool, trace) = try run(.floor, home: home)
        #expect(pool.events == ["program-finished"])
        #expect(trace.steepest < 30)
        #expect(trace.onWalls == 0 && trace.atLine == 0)
        let deepest = try #require(trace.heights.max())
        #expect(deepest > pool.behaviour.site.basin.shallow)
    }

    @Test(arguments: ["home-1", "home-2", "home-3", "home-4"])
    func theWallsProgramIsOnTheWallsForMostOfItsTime(_ home: String) throws {
        let (pool, trace) = try run(.walls, home: home)
        #expect(pool.events == ["program-finished"])
        #expect((89.9...90.1).contains(trace.steepest))
        #expect(trace.wallShare > 0.5 && trace.lineShare < 0.35)
        // It comes all the way up, and all the way down again.
        #expect(trace.heights.contains { $0 <= 0.081 } && trace.heights.contains { $0 > 0.7 })
    }

    @Test(arguments: ["home-1", "home-2", "home-3", "home-4"])
    func theWaterlineProgramFollowsTheWaterlineAndSlips(_ home: String) throws {
        let (pool, trace) = try run(.waterline, home: home)
        #expect(pool.events == ["program-finished"])
        #expect(trace.lineShare > 0.4)
        let line = pool.behaviour.site.ratings.drive.lineDepth.value
        #expect(trace.lineDepths.allSatisfy { $0 >= line - 1e-9 && $0 < 0.6 })
        let slips = zip(trace.lineDepths, trace.lineDepths.dropFirst())
            .filter { $1 - $0 > 0.02 }.count
        #expect(slips > trace.lineDepths.count / 50)
    }

    @Test(arguments: ["home-1", "home-2", "home-3", "home-4"])
    func theFullProgramCleansAllOfThem(_ home: String) throws {
        let (pool, trace) = try run(.full, home: home)
        #expect(pool.events == ["program-finished"])
        #expect((0.2...0.8).contains(trace.wallShare))
        #expect((0.05...0.5).contains(trace.lineShare))
        #expect(trace.seconds == 7199)
    }

    /// The whole floor is visited.
    @Test(arguments: ["home-1", "home-3", "home-5"])
    func theFloorProgramComesToAllPartsOfTheFloor(_ home: String) throws {
        var pool = try PoolBench(home: home)
        let basin = pool.behaviour.site.basin
        var cells: Set<[Int]> = []
        pool.behaviour.start(.floor, isAction: true)
        pool.pass(3600) {
            cells.insert([
                Int(4 * $0.drive.place.x / basin.length), Int(3 * $0.drive.place.y / basin.width),
            ])
        }
        let possible = (0..<4).flatMap { x in (0..<3).map { [x, $0] } }.filter { cell in
            let middle = PoolVector(
                x: (Double(cell[0]) + 0.5) * basin.length / 4,
                y: (Double(cell[1]) + 0.5) * basin.width / 3)
            return basin.contains(middle) && middle.x > basin.shoreX
        }
        #expect(cells.isSuperset(of: possible))
    }

    @Test func powerLevelChangesCoverageCloggingAndCurrent() throws {
        let runs = try PoolRobot.PowerLevel.allCases.map {
            try run(.floor, home: "home-1", level: $0)
        }
        let clogged = runs.map { $0.pool.behaviour.filter.clogged }
        #expect(clogged[0] < clogged[1] && clogged[1] < clogged[2])
        let currents = runs.map { $0.trace.currents.reduce(0, +) / Double($0.trace.seconds) }
        #expect(currents[0] + 0.3 < currents[1] && currents[1] + 0.3 < currents[2])
    }

    @Test func theFilterClogsByTheAreaAndReportsOnce() throws {
        let ratings = PoolFilterRatings()
        var filter = PoolFilter()
        var reports = 0
        for _ in 0..<4000 where filter.take(1, clogging: 0.001, ratings) { reports += 1 }
        // dF = k dA (1 − F) has the solution F = 1 − e^(−kA).
        #expect((filter.clogged - (1 - 0.0182)).magnitude < 1e-3)
        #expect(reports == 1)
        #expect((filter.suction(ratings) - 0.509).magnitude < 1e-3)
    }

    @Test func aCloggedFilterTakesMoreCurrentAndClimbsMoreSlowly() throws {
        var pool = try PoolBench()
        func climb(filled percent: Double) -> (current: Double, seconds: Int) {
            var robot = pool
            robot.behaviour.filter.restore(percent: percent, robot.behaviour.site.ratings.filter)
            robot.behaviour.start(.walls, isAction: true)
            var seconds = 0
            var current = 0.0
            while robot.behaviour.run?.elapsed ?? 999 < 900 {
                robot.pass(1)
                guard case .climbing = robot.behaviour.drive.phase else { continue }
                seconds += 1
                current = robot.behaviour.motorCurrentA
            }
            return (current, seconds)
        }
        pool.behaviour.settings.level = .normal
        let (open, clogged) = (climb(filled: 0), climb(filled: 90))
        #expect(clogged.current > open.current * 1.05)
        #expect(clogged.seconds > open.seconds)
    }

    /// The net turn of the robot twists its tether, and its owner takes the twist out.
    @Test func theTetherHasAsManyTurnsAsTheRobotHasTurned() throws {
        var pool = try PoolBench()
        pool.behaviour.start(.full, isAction: true)
        var turned = 0.0
        var last = pool.behaviour.drive.headingDeg
        var most = 0.0
        pool.pass(7000) {
            let step = ($0.drive.headingDeg - last + 540).truncatingRemainder(dividingBy: 360) - 180
            turned += step
            last = $0.drive.headingDeg
            most = max(most, $0.drive.tetherTurns.magnitude)
            #expect(($0.drive.tetherTurns - turned / 360).magnitude < 1e-6)
        }
        #expect(most > 0.5 && most < 5)
        #expect(pool.behaviour.telemetry["tetherTurns"] != nil)
        #expect(try PoolBench(.c1).behaviour.telemetry["tetherTurns"] == nil)
        #expect(try PoolBench(.c1).behaviour.telemetry["batteryPercent"] == 100)
    }

    @Test(arguments: PoolRobot.PowerLevel.allCases)
    func aCordlessRobotFinishesTheLongestProgramOnOneCharge(
        _ level: PoolRobot.PowerLevel
    ) throws {
        var pool = try PoolBench(.c1)
        pool.behaviour.settings.level = level
        pool.behaviour.filter.restore(percent: 85, pool.behaviour.site.ratings.filter)
        pool.behaviour.start(.full, isAction: true)
        while pool.behaviour.run != nil { pool.pass(1) }
        #expect(pool.events.last == "program-finished")
        #expect(pool.behaviour.battery?.percent ?? 0 > 10)
    }
}
