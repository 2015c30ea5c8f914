import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The store's losses, taper, cells and surroundings against published values.
@Suite struct EnergyPhysicsTests {
    @Test(arguments: [
        (StorageSystem.e10, [0.8680, 0.8816, 0.8614, 0.7688, 0.6246]),
        (StorageSystem.e5, [0.8562, 0.8554, 0.8081, 0.6506, 0.4369]),
    ])
    func roundTripsMatchTheMeasuredSystems(_ system: StorageSystem, _ golden: [Double]) {
        for (load, expected) in zip([1, 0.5, 0.25, 0.1, 0.05], golden) {
            let efficiency = system.roundTripEfficiency(atLoad: load)
            #expect((efficiency - expected).magnitude < 1e-4, "\(load): \(efficiency)")
        }
    }

    @Test func chargingConversionMatchesSystemS2() {
        let system = StorageSystem.e10
        for (load, expected) in [(1.0, 0.9500), (0.5, 0.9551), (0.1, 0.8869)] {
            let power = load * system.chargeW
            let conversion =
                system.cellPower(charging: power) / power
                / system.batteryEfficiency.squareRoot()
            #expect((conversion - expected).magnitude < 1e-4)
        }
    }

    @Test func inverseOfTheChargingLossIsExact() {
        for system in [StorageSystem.e5, .e10] {
            for share in stride(from: 0.05, through: 1, by: 0.05) {
                let cell = share * system.cellPower(charging: system.chargeW)
                let back = system.cellPower(charging: system.acPower(chargingCellsWith: cell))
                #expect((back - cell).magnitude < 1e-6)
            }
        }
    }

    @Test(arguments: [
        (StorageSystem.taper, 1.1194), (BatteryPack.taper, 1.4820),
    ])
    func tapersStretchAFullChargeAsTheyShould(_ taper: PiecewiseLine, _ expected: Double) {
        let steps = 100_000
        var time = 0.0
        for step in 0..<steps {
            time += 1 / taper.value(at: (Double(step) + 0.5) / Double(steps)) / Double(steps)
        }
        #expect((time - expected).magnitude < 1e-4, "\(time)")
    }

    @Test func robotPackChargesInTheTimeOfItsTaper() {
        var pack = BatteryPack(capacityWh: 40, chargerW: 40)
        pack.restore(percent: 0)
        var seconds = 0.0
        while !pack.isFull, seconds < 20_000 {
            pack.fill(seconds: 10)
            seconds += 10
        }
        #expect((seconds / 3600 - 1.482).magnitude < 0.01)
    }

    @Test(arguments: [(0.1, 3.4057), (0.5, 3.3976), (0.9, 3.3446), (0.98, 2.8939)])
    func openCircuitVoltageMatchesTheCell(_ x: Double, _ volts: Double) {
        #expect((CellModel.openCircuitV(charge: 1 - x) - volts).magnitude < 1e-4)
    }

    @Test(arguments: [
        (10.0, 0.5, 100.8), (25, 0.5, 98.06), (35, 0.5, 93.72), (45, 0.5, 85.41), (25, 1, 83.24),
    ])
    func tenYearsOfAgeingMatchTheModel(_ celsius: Double, _ charge: Double, _ percent: Double) {
        let health = CellModel.calendarHealth(
            days: 3650, kelvin: celsius + 273.15, charge: charge)
        #expect((health * 100 - percent).magnitude < 0.06, "\(health * 100)")
    }

    @Test(arguments: [(30.0, 888.3), (60, 487.9)])
    func clearSkyMatchesHaurwitz(_ zenith: Double, _ irradiance: Double) {
        let value = HomeProfile.clearSky(cosZenith: Mathematics.cosine(zenith * .pi / 180))
        #expect((value - irradiance).magnitude < 0.1)
    }

    @Test func sunRisesAndSets() throws {
        var generator = SeededGenerator(seed: 3)
        let home = HomeProfile(roofs: 5000...5000, using: &generator)
        let midnight = 1_750_464_000_000
        let byHour = (0..<24).map {
            home.pvW(at: Timestamp(milliseconds: midnight + $0 * 3_600_000))
        }
        #expect(byHour[0] == 0 && byHour[23] == 0)
        #expect(byHour.max() ?? 0 > 800 && byHour.max() ?? 0 < 5000)
        let sunniest = byHour.firstIndex(of: byHour.max() ?? 0) ?? 0
        #expect((8...15).contains(sunniest))
    }
}
