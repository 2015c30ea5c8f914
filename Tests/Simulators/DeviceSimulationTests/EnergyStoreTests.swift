import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The energy store as a device: transfers, limits, modes, the island, and its books.
@Suite struct EnergyStoreTests {
    @Test(arguments: ["store-e5", "store-e10"], [UInt64](1...4))
    func meterBalancesInEverySampleOfADay(_ model: String, _ seed: UInt64) throws {
        var bench = try DeviceBench(model, seed: seed, telemetryEvery: .seconds(60))
        for hours in [6, 6, 6, 6] {
            bench.pass(.seconds(hours * 3600))
            let modes = ["self-consumption", "backup", "time-of-use", "idle"]
            let mode = modes[Int(seed) % modes.count]
            bench.give(
                try Order(
                    "set-mode", ["mode": .string(mode)], at: bench.clock.wire, sequence: hours))
        }
        let samples = bench.log.samples
        #expect(samples.count >= 1439)
        var previous: (charged: Double, discharged: Double) = (0, 0)
        for sample in samples {
            let values = try Flows(sample)
            #expect(values.gridW + values.pvW == values.loadW + values.batteryW)
            #expect((0...100).contains(values.charge))
            #expect(values.loadW > 0)
            #expect(values.charged >= previous.charged)
            #expect(values.discharged >= previous.discharged)
            previous = (values.charged, values.discharged)
        }
    }

    @Test func cellsHoldWhatWentInAndOut() throws {
        var bench = try StoreBench(.e10, seed: 11, room: 20)
        let begin = bench.store.battery.energyWh
        var integral = 0.0
        bench.pass(40_000) { bench in
            let leakW = bench.store.battery.capacityWh * 0.001 / 24
            integral += (bench.store.cellW - leakW) / 3600
        }
        #expect((bench.store.battery.energyWh - begin - integral).magnitude < 0.01)
        #expect(bench.store.cellW != 0)
    }

    @Test func chargeFromGridLosesWhatTheModelLoses() throws {
        var bench = try StoreBench(.e10, seed: 5, room: 20, percent: 20)
        let before = bench.store
        bench.order(.charge, 1786, until: 70)
        while bench.store.transfer != nil, bench.store.meter.inWh - before.meter.inWh < 20_000 {
            bench.pass(10)
        }
        #expect(
            bench.store.occurrences.contains {
                if case .actionEnded(.succeeded) = $0 { true } else { false }
            })
        let gain = bench.store.battery.energyWh - before.battery.energyWh
        #expect((gain - 0.5 * before.battery.capacityWh).magnitude < 2)
        let efficiency = 0.9551 * StorageSystem.e10.batteryEfficiency.squareRoot()
        let taken = (bench.store.meter.inWh - before.meter.inWh) / bench.store.meter.gain
        #expect((gain / taken - efficiency).magnitude < 0.005)
    }

    @Test func chargeEndsAtItsTargetAndSaysSo() throws {
        var bench = try DeviceBench("store-e5")
        let order = try Order("charge", ["powerW": 2000, "untilPercent": 75])
        #expect(bench.give(order).verdicts == ["accepted/OK"])
        bench.pass(.seconds(3 * 3600))
        let final = try #require(bench.acks(of: order).last)
        #expect(final.verdict == "succeeded/OK")
        #expect(final.result["stateOfChargePercent"] == 75)
        #expect(final.executions == 1)
    }

    @Test func chargeWhileChargingIsBusyAndDischargeSupersedes() throws {
        var bench = try DeviceBench("store-e5")
        let charge = try Order("charge", ["powerW": 2000])
        bench.give(charge)
        #expect(bench.give(try Order("charge", ["powerW": 100])).verdicts == ["rejected/BUSY"])
        let discharge = try Order("discharge", ["powerW": 1500])
        let actions = bench.give(discharge)
        #expect(actions.verdicts == ["accepted/OK", "superseded/SUPERSEDED"])
        #expect(bench.acks(of: charge).last?.stage == .superseded)
        bench.pass(.seconds(10))
        let power = try Flows(#require(bench.log.samples.last)).batteryW
        #expect((power + 1500).magnitude < 30, "within the class of its meter: \(power)")
        #expect(
            bench.give(try Order("stop")).verdicts.suffix(2) == [
                "cancelled/CANCELLED", "succeeded/OK",
            ])
    }

    @Test func limitsAreSafetyChecked() throws {
        var bench = try DeviceBench("store-e5")
        bench.give(try Order("set-charge-limit", ["percent": 80]))
        bench.give(try Order("set-reserve", ["percent": 20]))
        let high = try Order("charge", ["powerW": 100, "untilPercent": 81])
        let low = try Order("discharge", ["powerW": 100, "untilPercent": 19])
        #expect(bench.give(high).verdicts == ["rejected/UNSAFE"])
        #expect(bench.give(low).verdicts == ["rejected/UNSAFE"])
        for power in [0, -5, 2501] as [Double] {
            let order = try Order("charge", ["powerW": .number(power)])
            #expect(bench.give(order).verdicts == ["rejected/BAD_ARGUMENTS"])
        }
    }

    @Test func islandingNeedsARevisionAndKeepsTheGridAtZero() throws {
        var bench = try DeviceBench("store-e10", seed: 2)
        let bare = try Order("set-islanding", ["enabled": true])
        #expect(bench.give(bare).verdicts == ["rejected/BAD_REQUEST"])
        let order = try Order("set-islanding", ["enabled": true], ifRevision: 1)
        let final = try #require(bench.give(order).acks.last)
        #expect(final.verdict == "succeeded/OK" && final.result["previous"] == false)
        #expect(bench.state?.state["gridConnected"] == false)
        #expect(bench.log.events == ["grid-lost"])
        bench.log = []
        bench.pass(.seconds(20 * 3600))
        for sample in bench.log.samples {
            let flows = try Flows(sample)
            #expect(flows.gridW == 0 && flows.pvW == flows.loadW + flows.batteryW)
        }
        #expect(
            bench.give(try Order("charge", ["powerW": 5], at: bench.clock.wire)).verdicts
                == ["rejected/WRONG_STATE"])
    }

    @Test func countersSurviveARestart() throws {
        var bench = try DeviceBench("store-e5")
        bench.give(try Order("charge", ["powerW": 2000, "untilPercent": 75]))
        bench.pass(.seconds(1800))
        bench.give(.shutDown)
        let before = try Flows(#require(bench.log.samples.last))
        try bench.restart()
        bench.pass(.seconds(6))
        let after = try Flows(#require(bench.log.samples.last))
        #expect(after.charged >= before.charged)
        #expect(after.charged < before.charged + 0.01)
        #expect((after.charge - before.charge).magnitude < 0.5)
        #expect(after.cycles >= before.cycles)
    }

    @Test func whatAStoreHasCountedIsNotTakenBackByARestart() throws {
        let fresh = try #require(try DeviceBench("store-e5").device.behaviour as? EnergyBehaviour)
        var (random, worn) = (SeededGenerator(seed: 11), fresh)
        for _ in 0..<2000 {
            worn.store.meter.inWh = .random(in: 0...5e6, using: &random)
            worn.store.meter.outWh = .random(in: 0...5e6, using: &random)
            var next = fresh
            next.restore(controlled: worn.controlled, memory: worn.remembered)
            #expect(next.store.meter.inWh >= worn.store.meter.inWh)
            #expect(next.store.meter.outWh >= worn.store.meter.outWh)
        }
    }

    /// The values of one sample.
    struct Flows {
        let gridW, pvW, loadW, batteryW, charge, charged, discharged, cycles: Double

        init(_ sample: TelemetryMessage) throws {
            func value(_ name: String) throws -> Double {
                try #require(sample.values[name]?.number)
            }
            gridW = try value("gridPowerW")
            pvW = try value("pvPowerW")
            loadW = try value("loadPowerW")
            batteryW = try value("batteryPowerW")
            charge = try value("stateOfChargePercent")
            charged = try value("chargedKWh")
            discharged = try value("dischargedKWh")
            cycles = try value("equivalentCycles")
        }
    }
}
