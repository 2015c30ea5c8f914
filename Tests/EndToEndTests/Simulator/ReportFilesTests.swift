import DeviceDomain
import TestSupport
import Testing

/// Reports of every kind, and those of shards that are joined.
@Suite(.timeLimit(.minutes(2))) struct ReportFilesTests {
    private static let world = [
        "--epoch", "2026-06-21T10:00:00Z", "--speed", "max", "--duration", "30s",
    ]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func sim(_ words: [String]) async throws -> Workplace.Run {
        try await FaultHouse.sim(words, in: try Workplace())
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    @Test func oneRunWritesReportsOfAllKinds() async throws {
        let names = ["day.json", "day.xml", "day.html"]
        let reports = names.flatMap { ["--report", path($0)] }
        let ending = try await sim(["run"] + Self.world + reports)
        #expect(ending.status == 0, "\(ending)")
        #expect(try RunReport("day.json", in: folder).devices.count == 7)
        let xml = try folder.text(of: "day.xml")
        #expect(xml.hasPrefix("<?xml ") && xml.contains("failures=\"0\""))
        let page = try folder.text(of: "day.html")
        #expect(page.hasPrefix("<!doctype html>") && page.contains("<strong>Passed</strong>"))
        #expect(!page.contains("http"))
        // The same page comes from the JSON report.
        let again = try await sim(["report", path("again.html"), path("day.json")])
        #expect(again.status == 0, "\(again)")
        #expect(try folder.text(of: "again.html") == page)
    }

    @Test func oneFileIsNotNamedTwice() async throws {
        let report = path("day.json")
        let ending = try await sim(
            ["run"] + Self.world + ["--report", report, "--report", report])
        #expect(ending.status == 64 && ending.errors.contains("names a file twice"), "\(ending)")
    }

    @Test func theReportsOfShardsMakeThatOfTheWhole() async throws {
        for shard in ["1/1", "1/3", "2/3", "3/3"] {
            let name = shard.replacing("/", with: "-of-") + ".json"
            let words = ["--homes", "7", "--shard", shard, "--report", path(name)]
            let ending = try await sim(["run"] + Self.world + words)
            #expect(ending.status == 0, "\(ending)")
        }
        let parts = ["2-of-3.json", "1-of-3.json", "3-of-3.json"].map(path)
        let ending = try await sim(["report", path("joined.json")] + parts)
        #expect(ending.status == 0, "\(ending)")
        let whole = try RunReport("1-of-1.json", in: folder)
        let joined = try RunReport("joined.json", in: folder)
        #expect(joined.devices == whole.devices && joined.devices.count == 49)
        for name in ["seed", "epoch", "worldSeconds", "commands", "invariants", "valid"] {
            #expect(joined.members[name] == whole.members[name], "\(name)")
        }
        let twice = try await sim(["report", path("twice.json")] + parts + [parts[0]])
        #expect(
            twice.status == 65 && twice.errors.contains("both have home-2/sweeper-1"), "\(twice)")
        #expect(!folder.has("twice.json"))
    }

    @Test func filesThatAreNoReportsOrNotThereAreNamed() async throws {
        let other = try folder.file("other.json", "{\"v\":1}")
        let wrong = try await sim(["report", path("joined.json"), other])
        #expect(wrong.status == 65 && wrong.errors.contains("other.json is no report"), "\(wrong)")
        let missing = try await sim(["report", path("joined.json"), path("nowhere.json")])
        #expect(missing.status == 2 && missing.errors.contains("nowhere.json"), "\(missing)")
        let none = try await sim(["report", path("joined.json")])
        #expect(none.status == 64, "\(none)")
    }
}
