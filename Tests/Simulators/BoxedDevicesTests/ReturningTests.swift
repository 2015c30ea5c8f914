import DeviceDomain
import Fleet
import ProvisioningProtocol
import TestSupport
import Testing

@testable import BoxedDevices

/// Devices that a former run has brought into a home.
@Suite(.timeLimit(.minutes(1))) struct ReturningTests {
    @Test func aDeviceInAHomeSaysWhereItLooksForItAndKeepsItsNames() async throws {
        let folder = try TemporaryFolder()
        var bench = try BoxBench()
        var client = try bench.client()
        #expect(try client.join("home-net", "secret12", on: &bench) == .success)
        bench.give(.joiningEnded)
        try BoxedStore(folder: folder.folder("boxed-1")).save(bench.saved)
        let (notices, continuation) = AsyncStream.makeStream(
            of: BoxedNotice.self, bufferingPolicy: .bufferingNewest(64))
        let settings = BoxedSettings(
            surroundings: try WiFiSurroundings([]), failSafe: .seconds(60),
            ownBroker: try FleetBroker(url: "mqtt://127.0.0.1:1"),
            broker: { url throws(FleetError) in try FleetBroker(url: url) },
            report: { continuation.yield($0) })
        let fleet = try BoxedFleet(
            count: 1, home: HomeID("home-1"), seed: 1, in: JournalDirectory(path: folder.path),
            settings)
        for name in ["boxed-1", "home-1/boxed-1"] { #expect(await fleet.hasDevice(named: name)) }
        #expect(await !fleet.hasDevice(named: "boxed-2"))
        let notice = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Ends the wait for a notice where the devices end without one.
                defer { continuation.finish() }
                do { try await fleet.run() } catch is CancellationError {}
            }
            let first = await notices.first { _ in true }
            group.cancelAll()
            try await group.waitForAll()
            return first
        }
        let text = String(describing: try #require(notice))
        #expect(text.contains("in the home already, as home-1/boxed-1"), "\(text)")
    }
}
