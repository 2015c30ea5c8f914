import DeviceDomain
import Testing

@Suite struct SignalTests {
    @Test func everySignalBelongsToAKind() {
        let kinds: [DeviceKind] = [.sweepingRobot, .poolRobot, .energyStore]
        let reported = kinds.flatMap {
            (Signal.state(of: $0) ?? []).union(Signal.telemetry(of: $0) ?? [])
        }
        #expect(Set(reported) == Set(Signal.allCases))
        #expect(Signal.telemetry(of: DeviceKind(rawValue: "lamp")) == nil)
    }

    @Test(arguments: [
        ("cleanedAreaM2", SignalUnit.squareMetres, "cleanedArea"), ("depthM", .metres, "depth"),
        ("chargedKWh", .kilowattHours, "charged"), ("cellMinV", .volts, "cellMin"),
        ("waterTemperatureC", .degreesCelsius, "waterTemperature"), ("level2M", .metres, "level2"),
        ("headingDeg", .degrees, "heading"), ("batteryPercent", .percent, "battery"),
        ("x", .metres, "x"), ("temperature", .degreesCelsius, "temperature"),
        ("humidity", .percent, "humidity"), ("pressure", .hectopascals, "pressure"),
    ])
    func aNameSaysItsUnit(name: String, unit: SignalUnit, stem: String) {
        #expect(SignalUnit(ofSignal: name) == unit)
        #expect(unit.stem(of: name) == stem)
    }

    @Test(arguments: ["RPM", "motorRPM", "fanSpeed", "M", "equivalentCycles", "alarms"])
    func otherNamesSayNone(name: String) {
        #expect(SignalUnit(ofSignal: name) == nil)
    }

    @Test func membersAreReadAndWrittenUnderTheirNames() {
        var members = JSONObject(reporting: [.batteryPercent: 40, .error: .null])
        #expect(members == ["batteryPercent": 40, "error": .null])
        members[.batteryPercent] = 41
        #expect(members["batteryPercent"] == 41)
        #expect(members[.mode] == nil)
    }
}
