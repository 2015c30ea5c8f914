import DeviceDomain
import SharedPresentation
import Testing

/// How the units of signals are shown.
@Suite struct UnitSystemTests {
    @Test(arguments: [
        ("waterTemperatureC", 20.0, 68.0, "°F"), ("temperatureC", -40, -40, "°F"),
        ("cleanedAreaM2", 10, 107.639, "ft²"), ("depthM", 1.5, 4.921, "ft"),
        ("x", 2, 2, "m"), ("batteryPowerW", 700, 700, "W"), ("batteryPercent", 40, 40, "%"),
    ])
    func imperialUnitsReplaceThoseOfTemperatureAreaAndLength(
        name: String, reported: Double, shown: Double, symbol: String
    ) throws {
        let unit = try #require(UnitSystem.imperial.unit(ofSignal: name))
        #expect(abs(unit.value(of: reported) - shown) < 0.001)
        #expect(unit.symbol == symbol)
        let metric = try #require(UnitSystem.metric.unit(ofSignal: name))
        #expect(metric.value(of: reported) == reported)
        #expect(metric.symbol == SignalUnit(ofSignal: name)?.symbol)
    }

    @Test func aSignalWithoutAUnitHasNone() {
        #expect(UnitSystem.imperial.unit(ofSignal: "boxCount") == nil)
    }

    @Test func pointsOfAChartKeepTheirTimes() throws {
        let unit = try #require(UnitSystem.imperial.unit(ofSignal: "temperatureC"))
        let moment = Timestamp(milliseconds: 5)
        #expect(
            unit.values(of: [SamplePoint(at: moment, value: 100)])
                == [SamplePoint(at: moment, value: 212)])
    }
}
