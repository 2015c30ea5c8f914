import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// `homeport-sim run SCENARIO.yaml` and `homeport-sim validate`.
@Suite(.timeLimit(.minutes(3))) struct ScenarioRunTests {
    private static let devices = """
        homes: 3
        devices:
          vacuums: {kind: sweeping-robot, count: 2, telemetry-interval: 1s}
          batteries: {kind: energy-store, count: 1, telemetry-interval: 1s}

        """

    private func run(
        _ scenario: String, _ words: [String]
    ) async throws -> (ending: Workplace.Run, report: JSONObject) {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.file("x.yaml", scenario)
        let workplace = try Workplace()
        let ending = try await FaultHouse.sim(
            ["run", file, "--report", "\(folder.path)/report.json"] + words, in: workplace)
        let bytes = Array(try await workplace.shell("cat '\(folder.path)/report.json'").output.utf8)
        let report = try? JSONReader.read(bytes, limits: JSONLimits(bytes: 1 << 20, depth: 16))
            .object
        return (ending, report ?? [:])
    }

    private func assertions(_ report: JSONObject) -> [String: Bool] {
        let all = (report["assertions"]?.array ?? []).compactMap(\.object)
        return Dictionary(
            all.map { ($0["name"]?.string ?? "", $0["passed"]?.boolean ?? false) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Commands, a fault and assertions on a broker; one assertion fails, and says why.
    @Test(arguments: [["--processes", "1"], ["--processes", "2"]])
    func aScenarioRunsOnABroker(words: [String]) async throws {
        let scenario = """
            name: small
            duration: 12s
            \(Self.devices)
            stages:
              - {name: ramp up, for: 2s, connect: {within: 1s}}
            commands:
              - {at: 3s, every: 1s, until: 5s, jitter: 500ms, to: all, name: identify}
              - {at: 4s, to: vacuums, name: pause}
            faults:
              - {fault: offline, on: batteries, at: 7s, for: 60s}
            assertions:
              - {name: all come, metric: online-share, at: 6s, min: 1}
              - {name: all stay, metric: online-share, min: 1}
              - {name: some stay, metric: online-share, from: 8s, on: vacuums, min: 1}
              - {name: runs once, metric: executions-per-command, max: 1}
              - {name: all end, metric: open-commands, max: 0}
              - {name: quick, metric: command-p99, max: 2000}
              - {name: no doubles, metric: duplicate-acks, max: 0}
              - {name: converged, metric: converged-share, on: vacuums, min: 1}
              - {name: sound, metric: invariant-violations, max: 0}
              - {name: samples, metric: lost-samples, on: vacuums, max: 0}
              - {name: rate, metric: connect-rate, to: 5s, min: 1, max: 20}
            """
        let (ending, report) = try await run(scenario, words)
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.errors.contains("ready 9 devices"), "\(ending.errors)")
        #expect(
            ending.errors.contains(
                "assertion all stay does not hold: online-share of all at the end: at least 1; "
                    + "found 0.6667, first at home-1/batteries-1"), "\(ending.errors)")
        let found = assertions(report)
        #expect(found.count == 11)
        #expect(
            found.filter { !$0.value }.map(\.key) == ["all stay"], "\(report["assertions"] ?? [])")
        #expect(report["scenario"]?.string == scenario)
        #expect(report["faults"]?.array?.count == 3)
        #expect((report["commands"]?.object?["sent"]?.integer ?? 0) >= 27)
    }

    /// The same without a broker: what needs one is left out, and said so.
    @Test(arguments: ["1", "2"])
    func aScenarioRunsWithoutABroker(processes: String) async throws {
        let scenario = """
            duration: 10m
            epoch: 2026-06-21T10:00:00Z
            speed: 60
            \(Self.devices)
            commands: [{at: 1m, every: 1m, until: 5m, to: vacuums, name: set-suction-level, arguments: {level: max}}]
            faults: [{fault: slow, on: vacuums, at: 30s, set: {delayMs: 5000}}]
            assertions:
              - {name: online, metric: online-share, min: 1}
              - {name: quick, metric: command-p50, max: 1000}
              - {name: once, metric: executions-per-command, max: 1}
            """
        let (ending, report) = try await run(
            scenario, ["--speed", "max", "--processes", processes])
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.errors.contains("assertion online is left out: online-share needs a broker"))
        #expect(ending.errors.contains("assertion quick does not hold"), "\(ending.errors)")
        #expect(assertions(report) == ["quick": false, "once": true])
        let leftOut = (report["leftOut"]?.array ?? []).compactMap(\.object)
        #expect(leftOut.map { $0["name"] } == ["online"])
        #expect(leftOut.first?["metric"] == "online-share", "\(leftOut)")
        #expect(report["speedAsked"] == "max")
        #expect(report["devices"]?.array?.count == 9)
        #expect(report["commands"]?.object?["sent"] == 30)
    }

    /// What acts on the connection is refused where there is none, and not said to have happened.
    @Test func faultsOfTheConnectionNeedABroker() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let workplace = try Workplace()
        let text =
            "duration: 1m\n\(Self.devices)faults: [{fault: blackhole, on: all, at: 1s, for: 30s}]\n"
        let file = try folder.file("x.yaml", text)
        #expect(try await FaultHouse.sim(["validate", file], in: workplace).status == 0)
        let report = "\(folder.path)/x.json"
        let ending = try await FaultHouse.sim(
            ["run", file, "--speed", "max", "--report", report], in: workplace)
        #expect(ending.status == 65, "\(ending.errors)")
        #expect(
            ending.errors.contains("\(file):6:18: blackhole acts on the connection to a broker"),
            "\(ending.errors)")
        #expect(!folder.has("x.json"))
        let fast = try folder.file("fast.yaml", text + "speed: max\n")
        let refused = try await FaultHouse.sim(["validate", fast], in: workplace)
        #expect(refused.status == 65 && refused.output.contains("\(fast):6:18: "), "\(refused)")
    }

    /// The report counts the commands that the assertion counts, with a broker and without one.
    @Test(arguments: [
        ["--speed", "1"], ["--speed", "1", "--processes", "2"], ["--speed", "max"],
    ])
    func theReportCountsTheCommandsOfTheAssertions(words: [String]) async throws {
        let scenario = """
            duration: 8s
            \(Self.devices)
            commands:
              - {at: 2s, every: 500ms, until: 6s, to: all, name: identify}
            faults:
              - {fault: offline, on: batteries, at: 3250ms, for: 60s}
              - {fault: drop-acks, on: vacuums-1, at: 4250ms, for: 60s, set: {percent: 100}}
            assertions:
              - {name: all end, metric: open-commands, max: 0}
              - {name: quick, metric: command-p50, max: 60000}
            """
        let (ending, report) = try await run(scenario, words)
        #expect(ending.status == 1, "\(ending.errors)")
        let commands = try #require(report["commands"]?.object)
        let found = (report["assertions"]?.array ?? []).compactMap(\.object).map { $0["found"] }
        #expect(commands["sent"] == 81, "\(commands)")
        #expect(commands["open"] == 30, "\(commands)")
        #expect(found.first??.number == commands["open"]?.number, "\(commands) \(found)")
        let latency = commands["latencyMs"]?.object
        #expect(found.last??.number == latency?["p50"]?.number, "\(commands) \(found)")
        #expect(
            ending.errors.contains("first at home-1/batteries-1, sent at ")
                && ending.errors.contains(": offline; 6 devices"), "\(ending.errors)")
    }

    /// Devices make the same with a broker and without one, however many processes there are: faults come at the
    /// instants of the world that the scenario names.
    @Test func hashesAreThoseOfTheScenario() async throws {
        let scenario = """
            duration: 20s
            epoch: 2026-06-21T10:00:00Z
            \(Self.devices)
            faults:
              - {fault: stuck, on: vacuums, share: 0.5, at: 5s, for: 5s}
              - {fault: reboot, on: batteries, rate: 360}
            """
        var hashes: [[String?]] = []
        for words in [
            ["--speed", "max"], ["--speed", "10"], ["--speed", "10", "--processes", "3"],
        ] {
            let (ending, report) = try await run(scenario, words)
            #expect(ending.status == 0, "\(ending.errors)")
            hashes.append(
                (report["devices"]?.array ?? []).map { $0.object?["hash"]?.string })
        }
        #expect(hashes[0].count == 9 && hashes[0] == hashes[1] && hashes[1] == hashes[2])
    }

    @Test func validateNamesEverythingThatIsWrong() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let workplace = try Workplace()
        let file = try folder.file(
            "x.yaml", "duration: 1h\nhomes: 0\ndevices: {x: {kind: robot, count: 1}}\n")
        let ending = try await FaultHouse.sim(["validate", file], in: workplace)
        #expect(ending.status == 65)
        let lines = ending.output.split(separator: "\n")
        #expect(lines.count == 2, "\(ending.output)")
        #expect(lines.first?.hasPrefix("\(file):2:8: ") == true, "\(ending.output)")
        #expect(lines.last?.hasPrefix("\(file):3:21: ") == true, "\(ending.output)")
        let same = try await FaultHouse.sim(["run", file], in: workplace)
        #expect(same.status == 65 && same.errors.contains("\(file):2:8: "), "\(same.errors)")
        let good = try folder.file("y.yaml", "duration: 1h\n\(Self.devices)")
        #expect(try await FaultHouse.sim(["validate", good], in: workplace).status == 0)
        let missing = try await FaultHouse.sim(["validate", "/nowhere.yaml"], in: workplace)
        #expect(missing.status == 65 && missing.output.contains("cannot be read"))
    }

    @Test func theSchemaIsJSON() async throws {
        let ending = try await FaultHouse.sim(["validate", "--schema"], in: try Workplace())
        #expect(ending.status == 0)
        let schema = try JSONReader.read(
            Array(ending.output.utf8), limits: JSONLimits(bytes: 1 << 20, depth: 32))
        #expect(schema.object?["properties"]?.object?["devices"] != nil)
        #expect(try await FaultHouse.sim(["validate"], in: try Workplace()).status == 64)
    }

    @Test func optionsThatDoNotGoWithAScenarioAreRefused() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.file("x.yaml", "duration: 1h\nspeed: max\n\(Self.devices)")
        let ending = try await FaultHouse.sim(
            ["run", file, "--broker", "mqtt://127.0.0.1:1"], in: try Workplace())
        #expect(
            ending.status == 64 && ending.errors.contains("leave --broker out"), "\(ending.errors)")
    }
}
