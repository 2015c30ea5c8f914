import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// `homeport-sim run` with a world of its own speed.
@Suite(.timeLimit(.minutes(1))) struct SimulatedWorldTests {
    private func run(_ words: String...) async throws -> Workplace.Run {
        try await FaultHouse.sim(["run"] + words, in: try Workplace())
    }

    @Test func aRunWithoutABrokerReportsTheSameTwice() async throws {
        let folder = try TemporaryFolder()
        var reports: [[String]] = []
        for file in ["\(folder.path)/one.json", "\(folder.path)/two.json"] {
            let ending = try await run(
                "--speed", "max", "--epoch", "2026-06-21T10:00:00Z", "--duration", "5m",
                "--report", file)
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.errors.contains("300.0 s of 7 devices"), "\(ending.errors)")
            let content = try JSONReader.read(try await bytes(of: file))
            let json = try #require(content.object)
            #expect(json["epoch"] == 1_782_036_000_000 && json["worldSeconds"] == 300)
            let devices = try #require(json["devices"]?.array).compactMap(\.object)
            #expect(devices.map { $0["samples"] } == devices.map { _ in 60 })
            reports.append(devices.compactMap { $0["hash"]?.string })
        }
        #expect(reports[0].count == 7 && reports[0] == reports[1])
    }

    private func bytes(of file: String) async throws -> [UInt8] {
        Array(try await (try Workplace()).shell("exec cat '\(file)'").output.utf8)
    }

    /// With a broker the world begins at the epoch, however long the start takes.
    @Test func theWorldOnABrokerBeginsAtTheEpoch() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/report.json"
        let ending = try await run(
            "--sweepers", "1", "--epoch", "2026-06-21T10:00:00Z", "--duration", "1s", "--report",
            file)
        #expect(ending.status == 0, "\(ending.errors)")
        let content = try JSONReader.read(try await bytes(of: file))
        #expect(try #require(content.object)["epoch"] == 1_782_036_000_000)
    }

    @Test func aReportThatCannotBeWrittenIsToldBeforeTheRun() async throws {
        let ending = try await run(
            "--speed", "max", "--duration", "24h", "--homes", "1000", "--report", "/nowhere/x")
        #expect(ending.status == 2 && ending.errors.contains("/nowhere/x"), "\(ending.errors)")
    }

    @Test(arguments: [
        (["--speed", "max"], "--duration"),
        (["--speed", "max", "--duration", "1m", "--journal", "x"], "--journal"),
        (["--report", "x", "--seed", "9007199254740992"], "below 9007199254740992"),
        (["--epoch", "21.6.2026"], "2026-06-21T06:00:00Z"), (["--speed", "2000"], "0.01 to 1000"),
    ])
    func whatCannotBeIsRefused(words: [String], remedy: String) async throws {
        let ending = try await FaultHouse.sim(["run"] + words, in: try Workplace())
        #expect(ending.status == 64 && ending.errors.contains(remedy), "\(ending.errors)")
    }
}
