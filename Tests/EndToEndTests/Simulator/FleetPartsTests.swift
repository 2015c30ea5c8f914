import DeviceDomain
import TestSupport
import Testing

/// The same homes in one process, in several, and in shards: what their devices say is the same.
@Suite(.timeLimit(.minutes(3))) struct FleetPartsTests {
    private static let epoch = "2026-06-21T10:00:00Z"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What the devices of a run without a broker have made.
    private func devices(_ words: String...) async throws -> [[String]] {
        let report = "\(folder.path)/report.json"
        let options = ["run", "--epoch", Self.epoch, "--speed", "max", "--report", report]
        let ending = try await FaultHouse.sim(options + words, in: try Workplace())
        #expect(ending.status == 0, "\(words): \(ending.errors)")
        return try RunReport("report.json", in: folder).devices
    }

    @Test func hashesAreEqualOverProcessesAndShards() async throws {
        let one = try await devices("--duration", "40s", "--homes", "9")
        #expect(one.count == 63)
        #expect(Set(one.map { $0[1] }).count == 63)
        #expect(one.allSatisfy { $0[2] == "8" })
        let two = try await devices("--duration", "40s", "--homes", "9", "--processes", "2")
        #expect(two == one)
        let eight = try await devices("--duration", "40s", "--homes", "9", "--processes", "8")
        #expect(eight == one)
        var joined: [[String]] = []
        for shard in ["1/3", "2/3", "3/3"] {
            let part = try await devices("--duration", "40s", "--homes", "9", "--shard", shard)
            #expect(part.count == 21)
            joined += part
        }
        let sorted = one.sorted { $0[0] < $1[0] }
        #expect(joined.sorted { $0[0] < $1[0] } == sorted)
    }

    /// Runs on a broker that is away for some seconds end at one instant of the world, and say what a run without a
    /// broker says.
    @Test func hashesAreEqualOnABrokerThatIsAwayInBetween() async throws {
        let world = ["--homes", "2"]
        let expected = try await devices("--duration", "30s", "--homes", "2")
        #expect(expected.count == 14)
        #expect(expected.allSatisfy { $0[2] == "6" })
        for processes in ["1", "2"] {
            try await withBroker { broker in
                let options = [
                    "--broker", broker.url, "--epoch", Self.epoch, "--speed", "2.5", "--duration",
                    "12s", "--processes", processes, "--report", "\(folder.path)/broker.json",
                ]
                let ending = try await SimulatorProcess.run(options + world) { simulator in
                    try await simulator.line(beginning: "ready 14 devices")
                    await broker.kill()
                    // The first attempt to come back has failed.
                    try await simulator.line(beginning: "lost the broker: ")
                    try await broker.start()
                    try await simulator.readToEnd()
                }
                #expect(ending.status == 0, "\(ending.lines)")
                let report = try RunReport("broker.json", in: folder)
                #expect(report.devices == expected, "\(processes) processes")
                #expect(report.members["worldSeconds"]?.integer == 30)
            }
        }
    }
}
