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

    @Test func theTableOfVoltagesIsTheCurve() {
        for share in stride(from: 0.0, through: 0.98, by: 0.0007) {
            let difference =
                CellModel.lookedUpV(charge: share) - CellModel.openCircuitV(charge: share)
            #expect(difference.magnitude < 2e-4, "\(share): \(difference)")
        }
    }

    /// 100 A for 30 s in a cell of 100 Ah at 25 °C (PyBaMM's Thevenin example).
    @Test func voltageDropsByTheResistanceOfTheExample() {
        let span = StoreConstants.fullCell.value - StoreConstants.emptyCell.value
        let pack = CellPack(capacityWh: 100 * 16 * 3.2 * span)
        var voltage = CellVoltage(spreadV: 0, restingV: 3.3)
        for _ in 0..<30 { voltage.advance(cellW: -100 * 16 * 3.3, restingV: 3.3, of: pack) }
        #expect((3.3 - voltage.meanV - 0.07793).magnitude < 1e-5, "\(voltage.meanV)")
    }

    @Test func inverseOfTheDischargingLossIsExact() {
        for system in [StorageSystem.e5, .e10] {
            for share in stride(from: 0.0, through: 1, by: 0.05) {
                let acW = share * system.dischargeW
                let back = system.acPower(dischargingCellsWith: system.cellPower(forming: acW))
                #expect((back - acW).magnitude < 1e-6)
            }
        }
    }

    /// A dead time and a lag of first order, against the closed solution.
    @Test(arguments: [(StorageSystem.e10, 1.6), (.e5, 0.63)])
    func converterFollowsAfterItsDeadTimeAndLag(_ system: StorageSystem, _ deadTime: Double) {
        var converter = ConverterResponse()
        var energyWs = 0.0
        for second in 1...8 {
            energyWs += converter.follow(setpointW: 1000, system.response)
            let late = max(0, Double(second) - deadTime)
            let expected = 1000 * (1 - Mathematics.exponential(-late / 0.6))
            #expect((converter.powerW - expected).magnitude < 1e-9, "after \(second) s")
            let integral = 1000 * late - 0.6 * expected
            #expect((energyWs - integral).magnitude < 1e-9, "after \(second) s")
        }
    }

    @Test(arguments: [
        (10.0, 0.5, 100.8), (25, 0.5, 98.06), (35, 0.5, 93.72), (45, 0.5, 85.41), (25, 1, 83.24),
    ])
    func tenYearsOfAgeingMatchTheModel(_ celsius: Double, _ charge: Double, _ percent: Double) {
        let perDay = BatteryAge.calendarRate(kelvin: celsius + 273.15, charge: charge)
        let health = 1.02 - (3650 * perDay).squareRoot()
        #expect((health * 100 - percent).magnitude < 0.06, "\(health * 100)")
    }

    @Test(arguments: [(0.2, 5000, 0.8), (0.8, 1000, 0.8), (0.8, 2000, 0.6)])
    func cyclesAgeAsTheTableSays(_ depth: Double, _ cycles: Int, _ left: Double) {
        var age = BatteryAge()
        let steps = 40
        for _ in 0..<cycles {
            age.advance(days: 0, kelvin: 298.15, charge: 0.9, discharged: 0)
            for step in 1...steps {
                let part = depth / Double(steps)
                age.advance(
                    days: 0, kelvin: 298.15, charge: 0.9 - Double(step) * part, discharged: part)
            }
        }
        #expect((age.health - left).magnitude < 0.003, "\(age.health)")
        #expect((age.equivalentCycles - Double(cycles) * depth).magnitude < 1e-6)
    }

    @Test func timeAgesAStepAtATimeAsAtOnce() {
        var age = BatteryAge()
        for _ in 0..<36_500 {
            age.advance(days: 0.1, kelvin: 308.15, charge: 0.5, discharged: 0)
        }
        #expect((age.health - 0.9372).magnitude < 0.0006, "\(age.health)")
    }

    @Test(arguments: [(30.0, 888.3), (60, 487.9)])
    func clearSkyMatchesHaurwitz(_ zenith: Double, _ irradiance: Double) {
        let value = RegionWeather.clearSky(cosZenith: Mathematics.cosine(zenith * .pi / 180))
        #expect((value - irradiance).magnitude < 0.1)
    }

    @Test func inverterHasThePartLoadCurveOfPVWatts() {
        #expect((Roof.efficiency(0.5) - 0.9622).magnitude < 1e-4)
        let roof = Roof(peakW: 6000, tiltDeg: 30, azimuthDeg: 180, sizing: 1.2, cloudDelay: 0)
        #expect(roof.invertedW(20) == 0, "it does not start")
        #expect(roof.invertedW(6000) == 5000, "it clips")
        #expect((roof.invertedW(2500 / 0.96) - 2500 / 0.96 * Roof.efficiency(0.5)).magnitude < 1e-9)
    }

    /// NREL's ssc: T⁺ = T_ss + (T − T_ss) e^(−t/τ).
    @Test func bodyWarmsAsTheExactSolutionSays() {
        var body = ThermalBody(room: .indoors(celsius: 20), celsius: 20)
        for _ in 0..<120 {
            for _ in 0..<60 { body.heat(lossW: 150) }
            body.endMinute(ambientC: -30)
        }
        let expected = 20 + 8 * (1 - Mathematics.exponential(-7200 * 18.75 / 130_520))
        #expect((body.celsius - expected).magnitude < 1e-9)
    }

    @Test(arguments: [(-10.0, 0.6), (0, 0.8), (25, 1), (40, 1)])
    func coldLeavesTheCapacityOfTheTestData(_ celsius: Double, _ share: Double) {
        #expect(TemperatureDerating.capacity.value(at: celsius) == share)
    }

    @Test(arguments: [StorageSystem.e5, .e10])
    func everyNumberOfAModelSaysWhereItComesFrom(_ system: StorageSystem) {
        #expect(Set(system.ratings.map(\.name)).count == system.ratings.count)
        for (name, rating) in system.ratings {
            switch rating.source {
            case .published(let text), .estimate(let text): #expect(!text.isEmpty, "\(name)")
            }
            #expect(!rating.unit.isEmpty && rating.value.isFinite, "\(name)")
        }
        let charge = system.commands.first { $0.name == .charge }
        #expect(charge?.arguments?.properties["powerW"]?.maximum == system.chargeW)
    }
}
