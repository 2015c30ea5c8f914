import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Why pool robots stop themselves, and how that ends.
@Suite struct PoolFailureTests {
    @Test func thePumpStopsAfterThirtySecondsOutOfTheWater() throws {
        var pool = try PoolBench()
        pool.begin(.floor)
        pool.pass(10)
        pool.behaviour.place(inWater: false)
        pool.pass(30)
        #expect(pool.happened.isEmpty && pool.behaviour.controlled[.inWater] == false)
        pool.pass(1)
        #expect(pool.error == "OUT_OF_WATER" && pool.failure == .hardwareFault)
        #expect(pool.events == ["out-of-water"])
        let start = BehaviourRequest(.startProgram, ["program": "floor"])
        #expect(pool.behaviour.stateRefusal(of: start, running: nil)?.code == .wrongState)
        #expect(pool.behaviour.safetyRefusal(of: start)?.code == .unsafe)
        pool.stop()
        #expect(pool.error == "OUT_OF_WATER", "stop clears it in the water only")
        pool.pass(600)
        #expect(pool.error == nil && pool.behaviour.isInWater, "its owner put it back")
        #expect(pool.behaviour.stateRefusal(of: start, running: nil) == nil)
    }

    /// On a beach a robot drives out of the water by itself, seldom enough that most programs do not show it.
    @Test func aRobotLeavesTheWaterOnABeachByItself() throws {
        var pool = try Self.pool { $0.basin.beach > 0 && $0.basin.shape == .rectangle }
        var programs = 0
        while pool.error != "OUT_OF_WATER", programs < 400 {
            pool.begin(.floor)
            while pool.behaviour.run != nil { pool.pass(1) }
            // What else may happen on the way.
            pool.stop()
            pool.behaviour.filter.empty()
            pool.behaviour.trackSeconds = 0
            programs += 1
        }
        pool.happened = pool.happened.suffix(2)
        #expect(pool.error == "OUT_OF_WATER" && pool.events == ["out-of-water"])
        #expect(pool.behaviour.drive.depthM < 0 && !pool.behaviour.isInWater)
        #expect(pool.behaviour.telemetry["depthM"] == 0)
        pool.pass(1300)
        #expect(pool.error == nil && pool.behaviour.isInWater)
    }

    /// At the main drain some robots come free by themselves, some do not.
    @Test func aRobotIsCaughtAtTheDrain() throws {
        var found: Set<String> = []
        var programs = 0
        var pool = try PoolBench()
        while found != ["STUCK", "DRIVE_OVERLOAD"], programs < 1500 {
            pool.begin(.floor)
            while pool.behaviour.run != nil { pool.pass(1) }
            if let error = pool.error {
                found.insert(error)
                let drain = pool.behaviour.site.basin.drain
                let place = pool.behaviour.drive.place
                #expect(PoolVector(x: place.x - drain.x, y: place.y - drain.y).length < 0.3)
                #expect(pool.events.last == (error == "STUCK" ? "stuck" : "fault"))
                #expect(pool.failure == (error == "STUCK" ? .stuck : .hardwareFault))
                pool.stop()
                #expect(pool.error == nil, "switched off and on again it tries once more")
            }
            pool.behaviour.filter.empty()
            programs += 1
        }
        #expect(found == ["STUCK", "DRIVE_OVERLOAD"])
    }

    @Test func itsOwnerFreesAStuckRobot() throws {
        var pool = try PoolBench()
        pool.behaviour.activity = .failed(.stuck)
        pool.pass(610)
        #expect(pool.error == "STUCK" && !pool.behaviour.isInWater)
        pool.pass(600)
        #expect(pool.error == nil && pool.behaviour.isInWater)
    }

    @Test func dirtThatPassesAFullFilterBlocksTheImpeller() throws {
        var pool = try PoolBench()
        pool.behaviour.filter.restore(percent: 96, pool.behaviour.site.ratings.filter)
        pool.begin(.floor)
        pool.pass(120)
        #expect(pool.error == nil, "full, but not yet blocked")
        pool.behaviour.filter.restore(percent: 98.5, pool.behaviour.site.ratings.filter)
        pool.pass(11)
        #expect(pool.error == "IMPELLER_OVERLOAD" && pool.failure == .hardwareFault)
        pool.stop()
        pool.begin(.floor)
        pool.pass(11)
        #expect(pool.error == "IMPELLER_OVERLOAD", "as long as the filter is full")
        pool.pass(1300)
        #expect(pool.error == nil && pool.behaviour.filter.clogged == 0, "its owner emptied it")
    }

    /// Nobody has to do anything but clean a dirty pool whose owner is away.
    @Test func aFilterThatNobodyEmptiesEndsInAnOverload() throws {
        var pool = try PoolBench()
        pool.behaviour.settings.level = .boost
        var programs = 0
        while pool.error == nil, programs < 100 {
            pool.begin(.full)
            while pool.behaviour.run != nil { pool.pass(1) }
            if [.stuck, .driveOverload].map(Activity.failed).contains(pool.behaviour.activity) {
                pool.stop()
            }
            programs += 1
        }
        #expect(pool.error == "IMPELLER_OVERLOAD")
        #expect(pool.events.filter { $0 == "filter-full" }.count == 1)
    }

    private typealias Activity = PoolActivity

    @Test func airInTheRobotLetsItFloatAndStopsItsPump() throws {
        var pool = try PoolBench()
        pool.behaviour.place(inWater: true)
        pool.behaviour.place = .floating(seconds: 300)
        pool.begin(.floor)
        pool.pass(60)
        #expect(pool.error == nil && pool.behaviour.drive.depthM < 0.1 && pool.behaviour.isInWater)
        pool.pass(1)
        #expect(pool.error == "IMPELLER_UNDERLOAD")
        pool.pass(300)
        #expect(pool.behaviour.place == .water && pool.behaviour.drive.depthM > 0.5)
        pool.stop()
        pool.begin(.floor)
        pool.pass(120)
        #expect(pool.error == nil, "the air is gone")
    }

    @Test func aWornTrackComesOff() throws {
        var pool = try PoolBench()
        pool.behaviour.trackSeconds = pool.behaviour.site.unit.trackSeconds - 60
        pool.begin(.floor)
        pool.pass(79)
        #expect(pool.error == nil)
        let place = pool.behaviour.drive.place
        pool.pass(2)
        #expect(pool.error == "DRIVE_UNDERLOAD" && pool.behaviour.drive.place == place)
        pool.step(3600 * 47)
        #expect(pool.error == "DRIVE_UNDERLOAD")
        pool.step(3600 * 2)
        #expect(pool.error == nil && pool.behaviour.trackSeconds == 0, "repaired after two days")
    }

    /// In the sun of the hottest days the supply of some homes switches off, and is back once it has cooled down.
    @Test func aSupplyInTheSunOverheatsAndRecovers() throws {
        var pool = try Self.pool(at: Timestamp(milliseconds: 1_752_969_600_000)) {
            $0.sunK > 23
        }
        pool.behaviour.settings.level = .boost
        var hours = 0
        while pool.error == nil, hours < 24 * 40 {
            if pool.behaviour.run == nil { pool.begin(.floor) }
            pool.step(3600)
            if pool.error != "SUPPLY_OVERHEAT" { pool.stop() }
            pool.behaviour.filter.empty()
            hours += 1
        }
        #expect(pool.error == "SUPPLY_OVERHEAT" && pool.events.last == "fault")
        #expect(pool.behaviour.motorCurrentA == 0)
        pool.stop()
        #expect(pool.error == "SUPPLY_OVERHEAT", "as long as it is hot")
        pool.step(12 * 3600)
        #expect(pool.error == nil && pool.behaviour.isInWater)
    }

    @Test func aCordlessRobotComesUpAtALowBatteryAndIsCharged() throws {
        var pool = try PoolBench(.c1)
        pool.behaviour.settings.level = .boost
        pool.behaviour.battery?.restore(percent: 25)
        pool.begin(.full)
        while pool.behaviour.run != nil { pool.pass(1) }
        #expect(pool.failure == .lowBattery && pool.events == ["low-battery"])
        #expect(pool.behaviour.controlled[.activity] == "surfacing")
        pool.pass(120)
        #expect(pool.behaviour.controlled[.activity] == "idle" && pool.behaviour.isAtSurface)
        pool.pass(600)
        #expect(!pool.behaviour.isInWater)
        for _ in 0..<6 { pool.step(3600) }
        #expect(pool.behaviour.isInWater && pool.behaviour.battery?.percent ?? 0 > 99)
    }

    /// A battery that ends on the wall: the robot stops and sinks to the floor.
    @Test func anEmptyBatteryStopsTheRobotAndItSinks() throws {
        var pool = try PoolBench(.c1)
        pool.begin(.walls)
        while pool.behaviour.drive.depthM > 0.3 { pool.pass(1) }
        pool.behaviour.battery?.restore(energyWh: 0.01)
        pool.pass(1)
        #expect(pool.behaviour.battery?.energyWh == 0 && pool.behaviour.motorCurrentA == 0)
        #expect(pool.failure == .lowBattery && pool.behaviour.controlled[.activity] == "idle")
        pool.pass(30)
        let floor = PoolDrive.floor(at: pool.behaviour.drive.place.x, in: pool.behaviour.site)
        #expect(pool.behaviour.drive.depthM == floor)
    }

    /// A pool robot of the first home that fits.
    private static func pool(
        at world: Timestamp = BenchClock().world, where fits: (PoolSite) -> Bool
    ) throws -> PoolBench {
        for number in 1... {
            let pool = try PoolBench(home: "home-\(number)", at: world)
            if fits(pool.behaviour.site) { return pool }
        }
        preconditionFailure("there are homes without end")
    }
}
