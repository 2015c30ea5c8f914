import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The limits of cells and temperature, and the alarms that come of them.
@Suite struct StoreAlarmTests {
    /// Charged and discharged at full power, cold and warm, from empty to full.
    @Test(arguments: [StorageSystem.e5, .e10], [-12.0, -5, 0, 10, 25, 44, 52])
    func cellsStayWithinTheirWindow(_ system: StorageSystem, _ celsius: Double) throws {
        var bench = try StoreBench(system, room: celsius, percent: 98)
        bench.store.reservePercent = 0
        bench.home.otherLoadW = 9000
        bench.order(.discharge, system.dischargeW)
        let check = { (bench: StoreBench) in
            let voltage = bench.store.battery.voltage
            #expect(voltage.lowestV >= 2.8 && voltage.highestV <= 3.65, "\(voltage)")
        }
        bench.pass(3 * 3600, each: check)
        #expect(bench.store.percent < 97.9, "it discharged at all")
        bench.order(.charge, system.chargeW)
        bench.pass(4 * 3600, each: check)
    }

    @Test func aLowCellTapersTheDischargeAndRaisesAnAlarm() throws {
        var bench = try StoreBench(.e5, at: StoreBench.night, room: 25, percent: 3)
        bench.store.reservePercent = 0
        bench.store.mode = .idle
        bench.order(.discharge, 2500)
        var nearEmpty: [Double] = []
        bench.pass(600) { bench in
            if (0.2...0.6).contains(bench.store.percent) { nearEmpty.append(-bench.store.batteryW) }
        }
        #expect(nearEmpty.count > 5 && nearEmpty.allSatisfy { $0 < 2000 }, "\(nearEmpty)")
        #expect(bench.store.transfer == nil)
        #expect(bench.store.alarms.contains([.cellVoltage, .empty]))
        bench.order(.charge, 1000, until: 6)
        bench.pass(1200)
        #expect(bench.store.alarms == [])
    }

    @Test func coldLeavesLessCapacityAndNoCharging() throws {
        var bench = try StoreBench(.e5, room: -10, percent: 60)
        bench.order(.charge, 2000)
        bench.pass(60)
        #expect(try bench.values().batteryW == 0)
        #expect(bench.store.alarms == .underTemperature)
        bench.store.reservePercent = 0
        bench.home.otherLoadW = 4000
        bench.order(.discharge, 2500)
        for _ in 0..<4 { bench.pass(3600) }
        // Its own losses warmed it a little meanwhile: at 0 °C it holds back a fifth.
        #expect((20...40).contains(bench.store.percent), "\(bench.store.percent)")
        #expect(bench.store.allowedDischargeW == 0 && bench.store.batteryW == 0)
        bench.store.battery.thermal.restore(celsius: -4)
        bench.store.feelTemperature()
        #expect(bench.store.alarms == [])
    }

    /// The heat of a hot room and the store's own losses derate it; it cools down with the room.
    @Test func heatOfTheWorldDeratesAndRaisesAnAlarm() throws {
        var bench = try StoreBench(.e10, room: 49, percent: 30)
        bench.home.otherLoadW = 6000
        bench.store.mode = .backup
        bench.pass(3000)
        #expect(bench.store.alarms.codes == ["over-temperature"])
        #expect(bench.store.occurrences.contains { $0.isEvent(.overTemperature) })
        #expect(bench.store.allowedChargeW < 0.6 * 3572)
        bench.store.battery.thermal = ThermalBody(room: .indoors(celsius: 20), celsius: 49.9)
        bench.pass(600)
        #expect(bench.store.alarms.codes == ["over-temperature"], "5 K of hysteresis")
        bench.pass(3600)
        #expect(bench.store.alarms == [] && bench.store.allowedChargeW > 0)
    }

    @Test func theContactorOpensInAFireAndClosesWhenItIsCool() throws {
        var bench = try StoreBench(.e5, room: 61, percent: 50)
        bench.order(.charge, 2000)
        bench.pass(30)
        #expect(bench.store.alarms.codes == ["over-temperature", "contactor-open"])
        #expect(try bench.values().batteryW == 0)
        bench.store.battery.thermal = ThermalBody(room: .indoors(celsius: 20), celsius: 55)
        bench.pass(120)
        #expect(bench.store.alarms.contains(.contactorOpen))
        bench.pass(3000)
        #expect(bench.store.alarms.codes == [])
        #expect(try bench.values().batteryW > 1000)
    }

    @Test func theAlarmsOfAStoreAreRaisedAgainAfterARestart() throws {
        #expect(
            StoreAlarms(codes: ["grid-outage", "empty", "cell-voltage"]) == [.empty, .cellVoltage])
        #expect(StoreAlarms(codes: ["empty", "cell-voltage"]).codes == ["cell-voltage", "empty"])
    }
}

extension BehaviourOccurrence {
    /// Whether it is an event of this name.
    func isEvent(_ name: EventName) -> Bool {
        if case .event(name, _) = self { true } else { false }
    }
}
