import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Broken sensors, as the messages of a device show them.
@Suite struct SensorFaultTests {
    /// Two devices that do the same, one of them with a fault.
    private func samples(
        _ model: String, _ fault: SimulatedFault, _ settings: JSONObject = [:],
        of duration: Duration = .seconds(600)
    ) throws -> [(honest: TelemetryMessage, shown: TelemetryMessage)] {
        var benches = [try DeviceBench(model), try DeviceBench(model)]
        try benches[1].inject(fault, settings)
        for index in benches.indices {
            if model.hasPrefix("sweeper") {
                benches[index].give(try Order("start-cleaning", ["rooms": [3]]))
            }
            benches[index].pass(duration)
        }
        #expect(benches[0].device.behaviour.controlled == benches[1].device.behaviour.controlled)
        let counts = benches.map(\.log.samples.count)
        #expect(counts[0] == counts[1] && counts[0] > 100)
        return Array(zip(benches[0].log.samples, benches[1].log.samples))
    }

    @Test func stuckSensorsShowWhatTheyShowedFirst() throws {
        let samples = try samples("sweeper-s1", .sensorStuck)
        #expect(Set(samples.map { $0.honest.values["x"] }).count > 50)
        for signal in ["x", "y", "headingDeg", "batteryPercent"] {
            #expect(Set(samples.map { $0.shown.values[signal] }).count == 1, "\(signal)")
        }
        // Counters are no sensors.
        #expect(
            samples.map { $0.shown.values["cleaningSeconds"] }
                == samples.map { $0.honest.values["cleaningSeconds"] })
    }

    @Test(arguments: ["sweeper-s1", "pool-c1", "store-e10"])
    func noisySensorsShowALittleMoreOrLess(_ model: String) throws {
        for (honest, shown) in try samples(model, .sensorNoise, ["percent": 10]) {
            #expect(honest.values.keys == shown.values.keys && honest.n == shown.n)
            for signal in SensorFaults.signals {
                guard let measured = honest.values[signal]?.number,
                    let value = shown.values[signal]?.number
                else { continue }
                let most = max(1, measured.magnitude) * 0.1 + 0.6
                let error = (value - measured).magnitude
                #expect(error <= most || signal == .headingDeg, "\(signal): \(value)")
                if signal.unit == .percent { #expect((0...100).contains(value)) }
                if signal == .batteryPercent { #expect(value == value.rounded()) }
                if signal == .headingDeg { #expect((0..<360).contains(value)) }
            }
        }
    }

    @Test func driftingSensorsShowMoreFromHourToHour() throws {
        let samples = try samples(
            "store-e5", .sensorDrift, ["percentPerHour": 10], of: .seconds(7200))
        let last = try #require(samples.last)
        let (voltage, shown) = (
            try #require(last.honest.values["voltageV"]?.number),
            try #require(last.shown.values["voltageV"]?.number)
        )
        #expect((shown / voltage - 1.2).magnitude < 0.01, "\(voltage) \(shown)")
        let first = try #require(samples.first)
        let start = try #require(first.honest.values["voltageV"]?.number)
        #expect((first.shown.values["voltageV"]?.number ?? 0) / start < 1.001)
    }

    /// What a home uses follows what its meter shows, so that its sum holds (PROTOCOL section 2).
    @Test func theSumOfAHomeHolds() throws {
        for (_, shown) in try samples("store-e10", .sensorNoise, ["percent": 20]) {
            let values = shown.values
            func watts(_ name: String) -> Double { values[name]?.number ?? .nan }
            let rest =
                watts("gridPowerW") + watts("pvPowerW") - watts("loadPowerW")
                - watts("batteryPowerW")
            #expect(rest.magnitude < 0.01, "\(values)")
        }
    }

    @Test func measuredMembersOfTheStateAreShownTooAndNoOthers() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.sensorNoise, ["percent": 50])
        let states = (0..<20).compactMap { _ -> StateMessage? in
            bench.give(.disconnected)
            return bench.give(.connected).states.last
        }
        #expect(Set(states.map { $0.state["batteryPercent"] }).count > 3)
        for name in ["activity", "fanSpeed", "isCharging", "error"] {
            #expect(Set(states.map { $0.state[name] }).count == 1)
        }
        #expect(Set(states.map(\.revision)).count == 1)
    }
}
