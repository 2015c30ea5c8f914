import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// What simulated devices report is what the table of signals says.
@Suite struct SignalTests {
    @Test(arguments: ["sweeper-s1", "sweeper-pro", "pool-p1", "pool-c1", "store-e5", "store-e10"])
    func everyReportedMemberIsASignalOfTheKind(model: String) throws {
        let device = try DeviceBench(model).device
        let kind = device.description.kind
        let kept: Set<String> = ["settings", "desiredRevision"]
        let state = Set(device.behaviour.controlled.keys).union(device.behaviour.measured.keys)
        #expect(
            state.subtracting(kept) == Set((Signal.state(of: kind) ?? []).map(\.rawValue)))
        let telemetry = Set((Signal.telemetry(of: kind) ?? []).map(\.rawValue))
        #expect(telemetry.isSuperset(of: device.behaviour.telemetry.keys))
    }
}
