import DeviceDomain
import Fleet
import ProvisioningProtocol
import TestSupport
import Testing

@testable import BoxedDevices

/// A device behind real sockets whose access point fails at one of the four requests of a setup.
@Suite struct AccessPointFaultTests {
    private static let faults: [AccessPointFault] = [
        .slow(.milliseconds(5)), .dropsRequest, .dropsAnswer, .cutsAnswer, .closes,
    ]

    @Test(.timeLimit(.minutes(1)), arguments: faults, 1...4)
    func aFaultAtAnyRequestCostsATryAndNothingElse(
        fault: AccessPointFault, at place: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let (notices, continuation) = AsyncStream.makeStream(
            of: BoxedNotice.self, bufferingPolicy: .bufferingNewest(64))
        let settings = BoxedSettings(
            surroundings: try WiFiSurroundings([try WiFiSurroundings.Network("home-net=secret12")]),
            failSafe: .seconds(60), ownBroker: try FleetBroker(url: "mqtt://127.0.0.1:1"),
            broker: { url throws(FleetError) in try FleetBroker(url: url) }, joiningTime: .zero,
            delayOnceKnown: .zero, faults: { _, number in number == place ? fault : nil },
            report: { continuation.yield($0) })
        let home = try HomeID("home-1")
        let fleet = try BoxedFleet(
            count: 1, home: home, seed: 1, in: JournalDirectory(path: folder.path), settings)
        let code = BoxedIdentity(number: 1, home: home, seed: 1).code
        let folderOfDevice = "\(folder.path)/boxed-1"
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await fleet.run() }
            var tries = 0
            setting: for await notice in notices {
                guard case .boxed(let status) = notice else { continue }
                // An access point that was lost says when it is back; others are there for a second try.
                for _ in 0..<(fault == .closes ? 1 : 2) {
                    tries += 1
                    let isDone = try await onThread {
                        var client = try SocketClient(status.accessPoint)
                        do {
                            try client.setUp(code, ssid: "home-net", passphrase: "secret12")
                            return true
                        } catch is TestSupportError { return false }
                    }
                    if isDone { break setting }
                }
            }
            #expect(tries <= 2)
            group.cancelAll()
            try? await group.waitForAll()
        }
        #expect(hasEntered(folderOfDevice))
    }

    /// Whether the device has saved that it is in a home.
    private func hasEntered(_ folder: String) -> Bool {
        guard let record = try? BoxedStore(folder: folder).load() else { return false }
        return if case .member = record.place { true } else { false }
    }
}
