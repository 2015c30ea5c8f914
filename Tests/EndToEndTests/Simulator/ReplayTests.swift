import DeviceDomain
import DeviceMessages
import Glibc
import TestSupport
import Testing

/// `homeport-sim replay`.
@Suite(.timeLimit(.minutes(3))) struct ReplayTests {
    /// One of its three faults matters, on one of its devices. It leaves seed and epoch open.
    private static let scenario = """
        duration: 5m
        speed: max
        homes: 2
        devices:
          vacuum: {kind: sweeping-robot, count: 2}
        commands:
          - {at: 1m, every: 30s, to: vacuum, name: locate}
        faults:
          - {fault: slow, on: all, at: 10s, for: 20s}
          - {fault: duplicate-acks, on: home-2/vacuum-1, at: 50s}
          - {fault: stuck, on: home-1, at: 40s, for: 20s}
        assertions:
          - {name: acks come once, metric: duplicate-acks, max: BOUND}
        """

    /// A report of the scenario, in a folder that lasts.
    /// - Parameter bound: how many acks may come again.
    private func report(
        in folder: TemporaryFolder, _ workplace: Workplace, bound: Int = 0
    ) async throws -> (path: String, status: Int32) {
        let text = Self.scenario.replacing("BOUND", with: "\(bound)")
        let file = try folder.file("x.yaml", text)
        let path = "\(folder.path)/report.json"
        let ending = try await FaultHouse.sim(
            ["run", file, "--seed", "9", "--epoch", "2026-06-21T08:00:00Z", "--report", path],
            in: workplace)
        return (path, ending.status)
    }

    private func hashes(_ path: String, _ workplace: Workplace) async throws -> [String] {
        let bytes = Array(try await workplace.shell("cat '\(path)'").output.utf8)
        let report = try JSONReader.read(bytes, limits: JSONLimits(bytes: 1 << 20, depth: 16))
        return (report.object?["devices"]?.array ?? []).compactMap { $0.object?["hash"]?.string }
    }

    @Test func aReplayedRunMakesTheSame() async throws {
        let (folder, workplace) = (try TemporaryFolder(), try Workplace())
        defer { withExtendedLifetime(folder) {} }
        let (path, status) = try await report(in: folder, workplace)
        #expect(status == 1)
        let again = "\(folder.path)/again.json"
        let ending = try await FaultHouse.sim(
            ["replay", path, "--", "--report", again, "--processes", "2"], in: workplace)
        #expect(ending.status == 1, "\(ending.errors)")
        let hashes = try await hashes(path, workplace)
        #expect(hashes.count == 4)
        #expect(try await self.hashes(again, workplace) == hashes)
    }

    @Test func theSmallestScenarioFailsByItself() async throws {
        let (folder, workplace) = (try TemporaryFolder(), try Workplace())
        defer { withExtendedLifetime(folder) {} }
        let path = try await report(in: folder, workplace).path
        let ending = try await FaultHouse.sim(["replay", path, "--shrink"], in: workplace)
        #expect(ending.status == 0, "\(ending.errors)")
        let lines = ending.output.split(separator: "\n")
        #expect(lines.contains("seed: 9"))
        #expect(lines.contains("epoch: \"2026-06-21T08:00:00.000Z\""))
        #expect(lines.contains("  \"vacuum\": {kind: sweeping-robot, count: 1}"))
        let faults = lines.filter { $0.contains("fault: ") }
        #expect(faults.count == 1 && faults[0].contains("duplicate-acks"), "\(faults)")
        let smallest = try folder.file("smallest.yaml", ending.output)
        #expect(try await FaultHouse.sim(["run", smallest], in: workplace).status == 1)
    }

    @Test func aReportThatCannotBeShrunkIsToldWhy() async throws {
        let (folder, workplace) = (try TemporaryFolder(), try Workplace())
        defer { withExtendedLifetime(folder) {} }
        let (path, status) = try await report(in: folder, workplace, bound: 1000)
        #expect(status == 0)
        let whole = try await FaultHouse.sim(["replay", path, "--shrink"], in: workplace)
        #expect(whole.status == 2)
        #expect(whole.errors.contains("nothing failed in \(path)"), "\(whole.errors)")
        let plain = "\(folder.path)/plain.json"
        _ = try await FaultHouse.sim(
            ["run", "--speed", "max", "--duration", "1s", "--report", plain], in: workplace)
        let refused = try await FaultHouse.sim(["replay", plain], in: workplace)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("had no scenario"), "\(refused.errors)")
    }

    /// A scenario that says nothing of its speed, and whose commands take 7 s on one device.
    private static let slow = """
        duration: 10m
        devices:
          vacuum: {kind: sweeping-robot, count: 2}
          battery: {kind: energy-store, count: 1}
        commands:
          - {at: 1m, every: 1m, until: 9m, to: vacuum, name: locate}
        faults:
          - {fault: slow, on: vacuum-1, at: 10s, set: {delayMs: 7000}}
          - {fault: sensor-noise, on: battery, at: 10s}
        assertions:
          - {name: quick, metric: command-p99, max: 1000}
          - {name: online, metric: online-share, min: 1}
          - {name: sound, metric: invariant-violations, max: 0}
          - {name: batteries, metric: command-p99, on: battery, max: 1000}
        """

    /// A report of that scenario with `--speed max`.
    private func slowReport(in folder: TemporaryFolder, _ workplace: Workplace) async throws
        -> String
    {
        let file = try folder.file("slow.yaml", Self.slow)
        let path = "\(folder.path)/slow.json"
        let ending = try await FaultHouse.sim(
            ["run", file, "--speed", "max", "--report", path], in: workplace)
        #expect(ending.status == 1, "\(ending.errors)")
        return path
    }

    /// Without the fault nothing is slow, and without the command nothing is measured: both are needed.
    @Test func whatFindsNothingToMeasureHasNotFailed() async throws {
        let (folder, workplace) = (try TemporaryFolder(), try Workplace())
        defer { withExtendedLifetime(folder) {} }
        let path = try await slowReport(in: folder, workplace)
        let ending = try await FaultHouse.sim(["replay", path, "--shrink"], in: workplace)
        #expect(ending.status == 0, "\(ending.errors)")
        let text = ending.output
        #expect(text.contains("fault: slow") && !text.contains("sensor-noise"), "\(text)")
        #expect(text.contains("name: locate"), "\(text)")
        #expect(text.contains("speed: max"), "\(text)")
        #expect(!text.contains("battery") && !text.contains("online"), "\(text)")
        #expect(
            ending.errors.contains(
                "trial 1 begins: faults 2, commands 1, devices 3, at --speed max"))
        let smallest = try folder.file("smallest.yaml", text)
        let again = try await FaultHouse.sim(["run", smallest], in: workplace)
        #expect(again.status == 1 && again.errors.contains("found 7000 ms"), "\(again)")
    }

    @Test func aRunGoesAtItsFormerSpeedAgain() async throws {
        let (folder, workplace) = (try TemporaryFolder(), try Workplace())
        defer { withExtendedLifetime(folder) {} }
        let path = try await slowReport(in: folder, workplace)
        let ending = try await FaultHouse.sim(["replay", path], in: workplace)
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.errors.contains("times as fast as real time"), "\(ending.errors)")
        #expect(!ending.errors.contains("broker mqtt"), "\(ending.errors)")
        let other = try await FaultHouse.sim(
            ["replay", path, "--", "--speed", "2", "--duration", "1ms"], in: workplace)
        #expect(other.errors.contains("broker mqtt"), "\(other.errors)")
    }

    /// Whoever ends the search ends the run that it tries, and leaves nothing behind.
    @Test(arguments: [SIGTERM, SIGINT])
    func anInterruptEndsTheTrial(signal: Int32) async throws {
        let (folder, workplace) = (try TemporaryFolder(), try Workplace())
        defer { withExtendedLifetime(folder) {} }
        let path = try await slowReport(in: folder, workplace)
        let temporary = "\(folder.path)/temporary"
        #expect(mkdir(temporary, 0o700) == 0)
        let ending = try await ChildProcess.run(
            "env",
            [
                "TMPDIR=\(temporary)", "XDG_RUNTIME_DIR=\(folder.path)",
                try ChildProcess.path(of: "homeport-sim"), "replay", path, "--shrink", "--",
                "--speed", "1",
            ], reading: .errors
        ) { replay in
            try await replay.line(beginning: "homeport-sim: trial 1 begins")
            kill(replay.processID, signal)
            try await replay.readToEnd()
        }
        #expect(ending.status == 2)
        let left = try await workplace.shell("ls '\(temporary)'; pgrep -f '[r]un \(temporary)'")
        #expect(left.output.isEmpty, "\(left.output)")
    }
}
