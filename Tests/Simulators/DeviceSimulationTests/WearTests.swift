import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Faults that come from the world itself, and docks and meters that fail.
@Suite struct WearTests {
    private let robot = SweeperSpecification.s1

    private func work(
        _ second: Int, hours: Double, cleaning: Bool = true, room: Int? = nil,
        charging: Double = 0
    ) -> SweeperWear.Work {
        SweeperWear.Work(
            second: second, isCleaning: cleaning, isDocked: !cleaning, room: room, hours: hours,
            charging: charging)
    }

    // MARK: Robots

    /// What happens in so many hours of cleaning, by fault; helped at once.
    private func mishaps(inHours count: Int, worked: Double) -> [SimulatedFault: Int] {
        var wear = SweeperWear(seed: 5, weather: RegionWeather(seed: 1), robot)
        var found: [SimulatedFault: Int] = [:]
        var second = 0
        for _ in 0..<count * 3600 {
            second += 1
            // A robot passes a door in about every five minutes.
            let room = second / 300 % 2
            if let fault = wear.mishap(work(second, hours: worked, room: room), of: robot) {
                found[fault, default: 0] += 1
                while wear.help(at: second) == nil { second += 60 }
            }
        }
        return found
    }

    @Test func wornBrushesAreBlockedMoreOften() {
        let (new, old) = (mishaps(inHours: 300, worked: 1), mishaps(inHours: 300, worked: 400))
        #expect((1...15).contains(new[.brushBlocked] ?? 0), "\(new)")
        #expect((16...50).contains(old[.brushBlocked] ?? 0), "\(old)")
        #expect(new[.sideBrushBlocked] ?? 0 < old[.sideBrushBlocked] ?? 0)
        #expect(new[.cliff] == nil && old[.cliff] ?? 0 > 5, "dirty sensors")
        #expect(new[.filterBlocked] == nil && old[.filterBlocked] ?? 0 > 12)
        #expect((1...20).contains(new[.stuck] ?? 0), "thresholds: \(new)")
    }

    @Test func helpComesWithinAnHourButNotAtNight() {
        for start in [2, 9, 15, 23] {
            var wear = SweeperWear(seed: 5, weather: RegionWeather(seed: 1), robot)
            // 2025-06-21, local time.
            let begin = 1_750_460_400 + start * 3600
            var second = begin
            while wear.mishap(work(second, hours: 299), of: robot) == nil {
                second += 1
                if second % 86_400 == begin % 86_400 + 1800 { second += 86_400 - 1800 }
            }
            let happened = second
            while wear.help(at: second) == nil { second += 1 }
            let hour = HomeClock.hour(at: second)
            #expect(hour >= 7 && hour <= 22, "\(hour)")
            if start == 9 || start == 15 { #expect((300...2700).contains(second - happened)) }
        }
    }

    @Test func aHelpedRobotGoesHome() throws {
        var walker = SweeperWalker()
        walker.begin(.moveTo, ["x": 6.5, "y": 4])
        walker.finish()
        walker.behaviour.beginToWear(
            try DeviceBench.identity("sweeper-s1"), DeviceSeeds(device: 1, home: 1))
        // As old as it gets, so that something happens soon.
        walker.behaviour.workedMilliseconds = 400 * 3_600_000
        var codes: Set<String> = []
        for _ in 0..<10 {
            walker.happened = []
            walker.begin(.startCleaning)
            walker.finish(within: walker.seconds + 20_000)
            if let code = walker.behaviour.blockages.code { codes.insert(code) }
            while !walker.behaviour.activity.isDocked || walker.behaviour.battery.percent < 90,
                walker.seconds < 5_000_000
            {
                walker.step(60)
                walker.behaviour.dustbinPercent = 0
            }
            walker.behaviour.end(fault: .binFull, noting: &walker.happened)
        }
        #expect(codes.count > 0, "\(codes)")
        #expect(walker.behaviour.blockages.code == nil)
        #expect(walker.seconds < 5_000_000)
    }

    /// A battery that is charged in the heat of the hottest days.
    @Test func aBatteryIsTooHotInTheHeatAlone() {
        let july = 1_752_537_600
        var hottest = (seed: UInt64(0), second: july)
        for seed in 0..<400 as Range<UInt64> {
            let weather = RegionWeather(seed: seed)
            for day in 0..<10 {
                let second = july + day * 86_400 + 14 * 3600
                let most = RegionWeather(seed: hottest.seed).ambientC(at: hottest.second)
                if weather.ambientC(at: second) > most { hottest = (seed, second) }
            }
        }
        func isHot(from second: Int, charging: Double) -> [Bool] {
            var wear = SweeperWear(seed: 1, weather: RegionWeather(seed: hottest.seed), robot)
            return (0..<240).map { minute in
                _ = wear.mishap(
                    work(
                        second + minute * 60, hours: 0, cleaning: false,
                        charging: minute < 180 ? charging : 0), of: robot)
                return wear.isTooHot
            }
        }
        let hot = isHot(from: hottest.second - 7200, charging: 1)
        #expect(hot.contains(true) && hot.last == false)
        #expect(!isHot(from: hottest.second - 7200, charging: 0).contains(true))
        #expect(!isHot(from: hottest.second + 182 * 86_400, charging: 1).contains(true))
    }

    // MARK: The dock

    @Test func aDockWithoutPowerIsAnErrorThatLetsTheRobotClean() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.dockNoPower)
        bench.pass(.seconds(2))
        #expect(bench.state?.state["error"] == "DOCK_NO_POWER")
        #expect(bench.state?.state["isCharging"] == false)
        let clean = try Order("start-cleaning", at: bench.clock.wire)
        #expect(bench.give(clean).verdicts == ["accepted/OK"])
        bench.pass(.seconds(60))
        #expect(
            bench.state?.state["activity"] == "cleaning" && bench.state?.state["error"] == .null)
        bench.give(try Order("return-to-dock", at: bench.clock.wire, sequence: 2))
        bench.pass(.seconds(120))
        #expect(bench.state?.state["error"] == "DOCK_NO_POWER")
        let percent = bench.log.samples.last?.values["batteryPercent"]
        bench.pass(.seconds(600))
        #expect(bench.log.samples.last?.values["batteryPercent"] == percent)
        bench.give(.clear(.dockNoPower))
        bench.pass(.seconds(2))
        #expect(bench.state?.state["error"] == .null)
        #expect(bench.state?.state["isCharging"] == true)
        #expect(bench.state?.state["activity"] == "docked")
    }

    @Test func inADarkHomeADockHasNoPower() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.device.setMains(false)
        bench.pass(.seconds(3))
        let dark = try #require(bench.device.journal.state)
        #expect(dark.controlled["error"] == "DOCK_NO_POWER")
        bench.device.setMains(true)
        bench.pass(.seconds(3))
        #expect(bench.device.journal.state?.controlled["error"] == .null)
    }

    // MARK: The meter

    @Test func withoutTheMeterAStoreFollowsNothing() throws {
        var bench = try DeviceBench("store-e5")
        bench.pass(.seconds(60))
        let before = try #require(bench.log.samples.last?.values)
        #expect((before["batteryPowerW"]?.number ?? 0).magnitude > 100, "it follows at noon")
        let actions = try bench.inject(.meterLost)
        #expect(actions.states.last?.state["alarms"] == ["meter-lost"])
        #expect(actions.eventDetails == ["fault": ["code": "meter-lost"]])
        bench.log = []
        bench.pass(.seconds(60))
        for sample in bench.log.samples {
            let flows = try EnergyStoreTests.Flows(sample)
            #expect(flows.gridW + flows.pvW == flows.loadW + flows.batteryW)
        }
        let blind = try #require(bench.log.samples.last?.values)
        #expect((blind["batteryPowerW"]?.number ?? 99).magnitude < 30)
        let second = try #require(bench.log.samples.dropLast().last?.values)
        #expect(blind["loadPowerW"] == second["loadPowerW"], "the last that was known")
        let charge = try Order("charge", ["powerW": 1000], at: bench.clock.wire)
        #expect(bench.give(charge).verdicts == ["accepted/OK"], "what is asked for needs no meter")
        bench.pass(.seconds(30))
        bench.give(try Order("stop", at: bench.clock.wire, sequence: 2), lane: .urgent)
        bench.give(.clear(.meterLost))
        #expect(bench.state?.state["alarms"] == [])
        bench.pass(.seconds(60))
        let after = try #require(bench.log.samples.last?.values["batteryPowerW"]?.number)
        #expect(after.magnitude > 100)
    }

    @Test func allStoresOfAHomeHaveOneMeter() throws {
        var home = try HomeBench(["store-e5", "store-e10"])
        home.give(.inject(try Fault(.meterLost), until: nil), to: 0)
        home.pass(.seconds(10))
        #expect(home.states.values.allSatisfy { $0.state["alarms"] == ["meter-lost"] })
        home.give(.clear(nil), to: 0)
        home.pass(.seconds(10))
        #expect(home.states.values.allSatisfy { $0.state["alarms"] == [] })
    }

    /// About once in two weeks, for some minutes.
    @Test func aMeterFallsSilentNowAndThen() {
        var link = MeterLink()
        for minute in 0..<2000 {
            link.passMinute(at: minute * 60)
            #expect(!link.isLost, "only in a run that asks for it")
        }
        link.wear(seed: 3)
        var (times, minutes) = (0, 0)
        for minute in 0..<400 * 1440 {
            let wasLost = link.isLost
            link.passMinute(at: minute * 60)
            if link.isLost { minutes += 1 }
            if link.isLost, !wasLost { times += 1 }
        }
        #expect((15...55).contains(times))
        #expect((5...25).contains(minutes / max(times, 1)))
    }

    @Test func aRunThatDoesNotAskForItHasNone() throws {
        let device = try SimulatedDevice(
            identity: try DeviceBench.identity("sweeper-s1"), seed: 1, boot: BootID("b1"),
            telemetryInterval: .seconds(5), at: BenchClock().now)
        #expect((device.behaviour as? SweepingBehaviour)?.wear == nil)
        let wearing = try SimulatedDevice(
            identity: try DeviceBench.identity("sweeper-s1"), seed: 1, boot: BootID("b1"),
            telemetryInterval: .seconds(5), wearing: true, at: BenchClock().now)
        #expect((wearing.behaviour as? SweepingBehaviour)?.wear != nil)
    }
}
