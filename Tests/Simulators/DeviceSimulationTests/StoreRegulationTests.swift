import DeviceDomain
import Testing

@testable import DeviceSimulation

/// How a store follows the meter of its home, and what it draws when it does not.
@Suite struct StoreRegulationTests {
    @Test(arguments: [StorageSystem.e5, .e10])
    func aStepOfTheLoadIsSeenForSecondsAndThenRegulatedAway(_ system: StorageSystem) throws {
        var bench = try StoreBench(system, at: StoreBench.night, percent: 60)
        bench.pass(60)
        bench.home.otherLoadW = 1000
        var shown: [Double] = []
        try bench.pass(30) { shown.append(try $0.values().gridW) }
        let seconds = shown.prefix { $0 > 500 }.count
        #expect((1...10).contains(seconds), "\(shown)")
        #expect(shown.dropFirst(10).allSatisfy { $0.magnitude < 150 }, "\(shown)")
    }

    @Test(arguments: [StorageSystem.e5, .e10], [UInt64](1...3))
    func aFollowingStoreRarelyHasTheMeterAtExactlyZero(
        _ system: StorageSystem, _ seed: UInt64
    ) throws {
        var bench = try StoreBench(system, seed: seed)
        var following: [Double] = []
        for _ in 0..<17_280 {
            bench.pass(5)
            let values = try bench.values()
            let power = values.batteryW.magnitude
            if power > 50, power < 0.95 * system.dischargeW { following.append(values.gridW) }
        }
        let zeros = following.count { $0 == 0 }
        #expect(following.count > 5000)
        #expect(zeros * 10 < following.count, "\(zeros) of \(following.count)")
        let small = following.count { $0.magnitude < 60 }
        #expect(small * 10 > following.count * 7, "it follows: \(small) of \(following.count)")
    }

    @Test func standbyIsSeenAtTheTerminals() throws {
        var bench = try StoreBench(.e10, percent: 50)
        bench.store.mode = .idle
        bench.pass(10)
        #expect((14...16).contains(try bench.values().batteryW))
        let before = bench.store
        bench.pass(3600)
        let grown = bench.store.meter.inWh - before.meter.inWh
        #expect((grown - 14.9 * bench.store.meter.gain).magnitude < 1e-6)
        #expect(bench.store.meter.outWh == before.meter.outWh)
    }

    @Test(arguments: [StorageSystem.e5, .e10])
    func chargeFallsSlowlyAtRest(_ system: StorageSystem) throws {
        var bench = try StoreBench(system, percent: 80)
        bench.store.mode = .idle
        for _ in 0..<24 { bench.pass(3600) }
        #expect((0.05...0.5).contains(80 - bench.store.percent), "\(bench.store.percent)")
    }

    @Test(arguments: [StorageSystem.e5, .e10])
    func fullStoreIsFilledAgainBelowTheHysteresisOnly(_ system: StorageSystem) throws {
        var bench = try StoreBench(system, percent: 99.9)
        bench.order(.charge, 2000)
        bench.pass(1800)
        #expect(bench.store.transfer == nil && bench.store.percent > 99.9)
        bench.store.mode = .backup
        try bench.pass(3600) { bench in
            let watts = try bench.values().batteryW
            #expect(watts < 20)
        }
        bench.store.battery.energyWh = 0.979 * bench.store.battery.capacityWh
        bench.pass(30)
        #expect(try bench.values().batteryW > 200)
    }

    @Test func countersAreTheIntegralsOfWhatIsShown() throws {
        var bench = try StoreBench(.e10, seed: 5)
        let before = bench.store.meter
        var (inWs, outWs) = (0.0, 0.0)
        bench.pass(6 * 3600) { bench in
            let watts = bench.store.shownW
            if watts > 0 { inWs += watts } else { outWs -= watts }
        }
        let after = bench.store.meter
        #expect((after.inWh - before.inWh - inWs / 3600).magnitude < 1e-4)
        #expect((after.outWh - before.outWh - outWs / 3600).magnitude < 1e-4)
        #expect(inWs > 0)
    }

    /// A year at two full cycles a day is more than what time alone takes.
    @Test func healthFallsWhileItRuns() throws {
        var bench = try StoreBench(.e10, percent: 90)
        let before = bench.store
        for _ in 0..<10 {
            bench.order(.discharge, 3507, until: 20)
            while bench.store.transfer != nil { bench.pass(600) }
            bench.order(.charge, 3572, until: 90)
            while bench.store.transfer != nil { bench.pass(600) }
        }
        #expect(bench.store.battery.health < before.battery.health)
        let cycles = bench.store.battery.age.equivalentCycles - before.battery.age.equivalentCycles
        #expect((6.5...8).contains(cycles), "\(cycles)")
        let fade = before.battery.age.cycleFade + cycles * BatteryAge.cycleRate(depth: 0.7)
        #expect((bench.store.battery.age.cycleFade - fade).magnitude < 0.0001)
    }
}
