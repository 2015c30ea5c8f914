import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation
@testable import Fleet

/// Reports of shards, joined.
@Suite struct ReportJoiningTests {
    private static let epoch = Timestamp(milliseconds: 1_782_036_000_000)

    /// What a whole fleet of homes, or a part of it, came to.
    private func run(_ homes: FleetHomes, seed: UInt64 = 1) async throws -> FleetReport {
        try await VirtualRun(
            of: FleetPlan(homes: homes, counts: .usual, seed: seed), seed: seed,
            telemetryInterval: .seconds(5), epoch: Self.epoch, duration: .seconds(60)
        ).run()
    }

    /// The report as it comes back from its file.
    private func read(_ report: FleetReport, as name: String = "a.json") throws -> FleetReport {
        try FleetReport(json: report.json, name: name)
    }

    /// What is compared: everything but the time that the machine took.
    private func findings(of report: FleetReport) throws -> JSONObject {
        var members = try #require(
            try JSONReader.read(report.json, limits: JSONLimits(bytes: 1 << 24, depth: 32)).object)
        for name in ["wallSeconds", "speedReached", "traces"] { members[name] = nil }
        return members
    }

    @Test func aReportIsReadAsItWasWritten() async throws {
        var report = try await run(.numbered(2))
        report.scenario = "name: x\n"
        report.assertions = [
            AssertionOutcome(
                name: "a", metric: "online-share", passed: false, found: 0.5, text: "t")
        ]
        report.leftOut = [
            UncheckedAssertion(name: "b", metric: "connect-rate", reason: "r")
        ]
        report.askedSpeed = .max
        report.saturation = Saturation(
            reached: 3.5, wanted: 60,
            longest: Saturation.Delay(start: .seconds(90), length: .seconds(12)))
        report.series.note(at: .zero, RunSeries.Figures())
        report.series.note(at: .seconds(3), RunSeries.Figures(online: 5, messages: 9))
        let again = try read(report)
        #expect(again.json == report.json)
        #expect(again.leftOut == report.leftOut && again.askedSpeed == .max)
        #expect(try FleetReport.joining([(name: "a", report: again)]).leftOut == report.leftOut)
    }

    /// The join of any parts is the report of the whole: hashes, counters, percentiles.
    @Test(arguments: [2, 3, 5])
    func theJoinOfPartsIsTheReportOfTheWhole(count: Int) async throws {
        let homes = FleetHomes.numbered(12)
        var random = SeededGenerator(seed: UInt64(count))
        var whole = try await run(homes)
        var parts: [(name: String, report: FleetReport)] = []
        for number in (1...count).reversed() {
            let part = try await run(try homes.part(FleetPart(number, of: count)))
            parts.append((name: "part-\(number).json", report: part))
        }
        // Figures of a run on a broker, dealt out to the parts.
        for _ in 0..<5000 {
            let (time, place) = (
                Int.random(in: 0...20_000, using: &random), random.next() % UInt64(count)
            )
            whole.lateness.add(milliseconds: time / 50)
            parts[Int(place)].report.lateness.add(milliseconds: time / 50)
        }
        for second in 1...700 {
            let passed = Duration.seconds(second)
            whole.series.note(
                at: passed, RunSeries.Figures(online: 12 * 7, messages: second * count))
            for place in parts.indices {
                parts[place].report.series.note(
                    at: passed, RunSeries.Figures(online: 12 * 7 / count, messages: second))
            }
        }
        if count == 5 {
            // 84 devices are no multiple of 5: what is online is the sum of the parts.
            whole.series = RunSeries()
            for place in parts.indices { parts[place].report.series = RunSeries() }
        }
        let files = try parts.map { (name: $0.name, report: try read($0.report, as: $0.name)) }
        let joined = try FleetReport.joining(files)
        #expect(joined.devices.map(\.key) == whole.devices.map(\.key))
        #expect(try findings(of: joined) == (try findings(of: whole)))
        #expect(joined.lateness.quantile(0.9999) == whole.lateness.quantile(0.9999))
    }

    @Test func partsThatDoNotBelongTogetherAreRefused() async throws {
        let (one, other) = (try await run(.numbered(1)), try await run(try .named("villa")))
        func refusal(_ reports: FleetReport...) -> String? {
            let parts = reports.enumerated().map { (name: "p\($0).json", report: $1) }
            do throws(FleetError) {
                _ = try FleetReport.joining(parts)
                return nil
            } catch { return error.message }
        }
        #expect(refusal(one, other) == nil)
        #expect(
            refusal(one, one)?.contains("p0.json and p1.json both have home-1/sweeper-1") == true)
        let reseeded = try await run(try .named("villa"), seed: 2)
        #expect(refusal(one, reseeded)?.contains("--seed 1 and 2") == true)
        var later = FleetReport(
            seed: 1, epoch: Self.epoch.advanced(by: .seconds(1)), world: .zero, wall: .zero)
        #expect(refusal(one, later)?.contains("of different runs: --epoch") == true)
        later = other
        later.scenario = "name: x\n"
        #expect(refusal(one, later)?.contains("another scenario") == true)
    }

    @Test(arguments: ["", "{}", "[1]", #"{"v":1,"seed":1}"#, #"{"v":2}"#, "<xml/>"])
    func anotherFileIsRefused(text: String) {
        #expect(throws: FleetError.self) {
            try FleetReport(json: Array(text.utf8), name: "other.json")
        }
    }

    @Test func anAssertionHoldsWhereItHeldInEveryPart() throws {
        func report(_ passed: Bool, _ text: String) -> FleetReport {
            var report = FleetReport(seed: 1, epoch: Self.epoch, world: .zero, wall: .zero)
            report.assertions = [
                AssertionOutcome(
                    name: "a", metric: "online-share", passed: passed, found: nil, text: text)
            ]
            return report
        }
        let joined = try FleetReport.joining([
            (name: "1", report: report(true, "one")), (name: "2", report: report(false, "two")),
            (name: "3", report: report(true, "three")),
        ])
        #expect(joined.assertions.map(\.text) == ["two"])
    }
}

/// How a fleet went over time.
@Suite struct RunSeriesTests {
    @Test func countsWhatHappenedInEachStretch() {
        var series = RunSeries()
        series.note(at: .milliseconds(100), RunSeries.Figures(online: 0))
        series.note(at: .milliseconds(900), RunSeries.Figures(online: 7, messages: 99))
        series.note(at: .milliseconds(1100), RunSeries.Figures(online: 3, messages: 10))
        series.note(at: .milliseconds(4000), RunSeries.Figures(online: 3, messages: 16))
        let closed = series.closed(
            with: RunSeries.Figures(online: 2, messages: 17, commands: 2, latencyMs: 30))
        #expect(closed.stretches.map(\.messages) == [10, 6, 0, 0, 1])
        #expect(closed.stretches.map(\.online) == [3, 3, 3, 3, 2])
        #expect(closed.stretches.last?.meanLatencyMs == 15)
        #expect(RunSeries(closed.members).stretches == closed.stretches)
    }

    @Test func aLongRunHasNoMoreStretchesThanAreDrawn() {
        var series = RunSeries()
        for second in stride(from: 0, through: 86_400, by: 7) {
            series.note(
                at: .seconds(second),
                RunSeries.Figures(online: second == 43_200 ? 1 : 5, messages: second))
        }
        let closed = series.closed(with: RunSeries.Figures(online: 5, messages: 86_400))
        #expect(closed.seconds == 256 && closed.stretches.count == 338)
        #expect(closed.stretches.reduce(0) { $0 + $1.messages } == 86_400)
    }

    @Test func aJumpOfTheWorldIsManyStretches() {
        var series = RunSeries()
        series.note(at: .zero, RunSeries.Figures())
        series.note(at: .seconds(86_400 * 400), RunSeries.Figures(online: 1))
        #expect(series.stretches.count <= RunSeries.mostStretches)
    }

    @Test func partsOfDifferentLengthsAreAdded() {
        var (one, other) = (RunSeries(), RunSeries())
        for second in 0..<1000 {
            one.note(at: .seconds(second), .init(online: 2, messages: second))
        }
        for second in 0..<10 {
            other.note(at: .seconds(second), .init(online: 3, messages: second))
        }
        one.merge(other)
        #expect(one.seconds == 2 && one.stretches.last?.online == 5)
    }
}

/// The ways of robots and the days of stores.
@Suite struct DeviceTraceTests {
    private func sample(_ second: Int, _ values: JSONObject) throws -> DevicePublication {
        let at = Timestamp(milliseconds: second * 1000)
        let message = TelemetryMessage(
            device: try DeviceID("d-1"), boot: try BootID("b1"), at: at, n: second + 1,
            values: values)
        return .telemetry(WrittenSample(at: at, payload: message.payload))
    }

    private func trace(_ kind: DeviceKind) throws -> DeviceTrace {
        DeviceTrace(home: try HomeID("home-1"), device: try DeviceID("d-1"), kind: kind)
    }

    @Test func aRobotThatStandsIsNotedOnce() throws {
        var trace = try trace(.sweepingRobot)
        for second in 0..<50 { trace.note(try sample(second, ["x": 1, "y": 2])) }
        trace.note(try sample(50, ["x": 1, "y": 2.5]))
        #expect(trace.points.map(\.at.milliseconds) == [0, 50_000] && trace.wayM == 0.5)
    }

    @Test func aLongWayIsThinnedAndKeepsItsEnds() throws {
        var trace = try trace(.sweepingRobot)
        for second in 0..<5000 {
            trace.note(try sample(second, ["x": .number(Double(second) * 0.1), "y": 0]))
        }
        #expect(trace.points.count <= DeviceTrace.mostPoints)
        #expect(trace.points.count > DeviceTrace.mostPoints / 4)
        #expect(trace.wayM > 495)
    }

    @Test func aStoreIsNotedByTimeAndReadBack() throws {
        var trace = try trace(.energyStore)
        for second in 0..<600 {
            trace.note(try sample(second, ["stateOfChargePercent": 40, "gridPowerW": -12.5]))
        }
        #expect(trace.points.count == 10)
        #expect(trace.points.first?.values == [.stateOfChargePercent: 40, .gridPowerW: -12.5])
        #expect(DeviceTrace(trace.members)?.points == trace.points)
    }

    @Test func theRobotsThatCameFarthestAreChosen() throws {
        let traces = try (0..<6).map { number in
            var trace = DeviceTrace(
                home: try HomeID("home-1"), device: try DeviceID("d-\(number)"),
                kind: .sweepingRobot)
            for second in 0...(number == 1 ? 9 : number) {
                trace.note(try sample(second, ["x": .integer(second), "y": 0]))
            }
            return trace
        }
        #expect(traces.chosen().map(\.device.text) == ["d-1", "d-4", "d-5"])
    }
}
