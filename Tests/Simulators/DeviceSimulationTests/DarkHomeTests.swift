import DeviceDomain
import Testing

@testable import DeviceSimulation

/// A home off the grid, until its stores are empty and after.
@Suite struct DarkHomeTests {
    private func bench(percent: Double, seed: UInt64 = 4) throws -> StoreBench {
        var bench = try StoreBench(
            .e5, seed: seed, at: StoreBench.winterEvening, room: 20, percent: percent)
        bench.home.setOutage(true, at: bench.device)
        return bench
    }

    @Test func aStoreStopsAtTheLowestChargeAndTheHomeIsDark() throws {
        var bench = try bench(percent: 11)
        #expect(bench.home.hasPower)
        var supplied = 0
        bench.pass(3600) { bench in
            guard bench.home.hasPower else { return }
            supplied += 1
            #expect(bench.store.percent >= 10 - 1e-3)
        }
        #expect((60...3000).contains(supplied), "50 Wh last some minutes: \(supplied) s")
        #expect(!bench.home.hasPower)
        let values = try bench.values()
        #expect(values.loadW == 0 && values.pvW == 0 && values.gridW == 0 && values.batteryW == 0)
        #expect(bench.store.alarms == .empty && bench.home.isSheddingLoad)
        bench.home.setOutage(false, at: bench.device)
        bench.pass(5)
        #expect(bench.home.hasPower && bench.store.alarms == [] && !bench.home.isSheddingLoad)
        #expect(try bench.values().loadW > 0)
    }

    @Test func theReserveIsThereForAnOutage() throws {
        var bench = try bench(percent: 40)
        bench.store.reservePercent = 40
        bench.pass(600)
        #expect(bench.home.hasPower && bench.store.percent < 40)
    }

    @Test func blackStartsComeAfterTenTwentyFortyAndHundredTwentyMinutes() throws {
        var bench = try bench(percent: 10.05)
        while bench.home.hasPower { bench.pass(1) }
        let dark = bench.home.second
        var (attempts, supply): ([Int], GridSupply) = ([], bench.home.supply)
        bench.pass(6 * 3600) { bench in
            if bench.home.supply != supply { attempts.append(bench.home.second - dark) }
            supply = bench.home.supply
        }
        #expect(attempts.map { $0 / 60 } == [10, 30, 70, 190, 310])
        #expect(bench.store.percent < 10)
    }

    /// A roof gives nothing without a store that forms the grid; with one it starts the home.
    @Test func theRoofStartsTheHomeInTheMorning() throws {
        var bench = try bench(percent: 10.05)
        while bench.home.hasPower { bench.pass(60) }
        var started: Int?
        try bench.pass(24 * 3600) { bench in
            if bench.home.hasPower, started == nil { started = bench.home.second }
            let pvW = try bench.values().pvW
            #expect(started != nil || pvW == 0)
        }
        let second = try #require(started)
        #expect((8.0...14).contains(HomeClock.hour(at: second)), "\(HomeClock.hour(at: second))")
    }

    @Test func belowTwoPercentNothingStartsWithoutTheGrid() throws {
        var bench = try bench(percent: 1.5)
        bench.pass(1)
        #expect(!bench.home.hasPower)
        for _ in 0..<24 {
            bench.pass(3600)
            #expect(!bench.home.hasPower)
        }
    }

    @Test func aDefectiveStoreSuppliesNobodyUntilItIsRepaired() throws {
        var bench = try bench(percent: 60)
        bench.store.limits.isDefective = true
        bench.store.feelTemperature()
        bench.pass(1)
        #expect(!bench.home.hasPower)
        bench.store.limits.isDefective = false
        bench.store.feelTemperature()
        bench.pass(660)
        #expect(bench.home.hasPower, "the first attempt")
    }

    @Test func loadBeyondTheStoresIsShedAndTheAlarmEndsWithIt() throws {
        var bench = try bench(percent: 80)
        bench.home.otherLoadW = 4000
        bench.pass(10)
        #expect(bench.home.isSheddingLoad)
        let values = try bench.values()
        #expect(values.gridW == 0 && values.loadW == -values.batteryW + values.pvW)
        bench.home.otherLoadW = 0
        bench.pass(200)
        #expect(bench.home.isSheddingLoad)
        bench.pass(120)
        #expect(!bench.home.isSheddingLoad)
    }

    /// On the grid a converter stands by below its own need of 48 W; alone it cannot.
    @Test func aSmallLoadIsSuppliedToo() throws {
        var bench = try StoreBench(.e5, at: StoreBench.night, room: 20, percent: 80)
        bench.home.setOutage(true, at: bench.device)
        bench.pass(1)
        bench.home.otherLoadW = 25 - (try bench.values().loadW)
        try bench.pass(30) { bench in
            #expect(bench.home.hasPower && !bench.home.isSheddingLoad)
            let loadW = try bench.values().loadW
            #expect((5...45).contains(loadW))
        }
    }
}
