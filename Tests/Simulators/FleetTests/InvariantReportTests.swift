import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation
@testable import Fleet

/// What a run tells of invariants that did not hold.
@Suite struct InvariantReportTests {
    private func record() throws -> InvariantRecord {
        var record = InvariantRecord()
        for second in [7, 3] {
            record.add(
                InvariantViolation(
                    invariant: .noJump, home: try HomeID("home-2"),
                    device: try DeviceID("sweeper-1"), at: Timestamp(milliseconds: second * 1000),
                    text: "it moved 3 m in 1 s"))
        }
        return record
    }

    private func report(_ invariants: InvariantRecord) throws -> JSONObject {
        var report = FleetReport(
            seed: 1, epoch: Timestamp(milliseconds: 0), world: .seconds(10), wall: .seconds(1))
        report.invariants = invariants
        return try #require(try JSONReader.read(Array(report.json.dropLast())).object)
    }

    @Test func theReportNamesEachInvariant() throws {
        let list = try #require(try report(InvariantRecord())["invariants"]?.array)
        #expect(list.compactMap { $0.object?["name"]?.string } == Invariant.all.map(\.name))
        for entry in list {
            #expect(entry.object?["violations"] == 0 && entry.object?["first"] == nil)
        }
    }

    @Test func theReportHasTheFirstViolation() throws {
        let list = try #require(try report(try record())["invariants"]?.array)
        let jump = try #require(list.first { $0.object?["name"] == "no-jump" }?.object)
        #expect(jump["violations"] == 2)
        #expect(
            jump["first"]?.object == [
                "home": "home-2", "device": "sweeper-1", "at": 7000,
                "text": "it moved 3 m in 1 s",
            ])
    }

    /// Each process of a fleet tells what it has found; the earliest is the first of all.
    @Test func whatProcessesHaveFoundIsAdded() throws {
        var whole = FleetReport(
            seed: 1, epoch: Timestamp(milliseconds: 0), world: .seconds(10), wall: .seconds(1))
        var part = whole
        part.invariants = try record()
        for line in part.lines + part.lines { whole.add(line) }
        #expect(whole.invariants.members.first { $0["name"] == "no-jump" }?["violations"] == 4)
        #expect(
            whole.invariants.entries["no-jump"]?.first == part.invariants.entries["no-jump"]?.first)
    }

    @Test func theLineNamesHomeDeviceAndInstant() throws {
        let first = try #require(try record().entries["no-jump"]?.first)
        #expect(
            "\(FleetNotice.violated(first))"
                == "home-2/sweeper-1: no-jump did not hold at 1970-01-01T00:00:07.000Z: "
                + "it moved 3 m in 1 s")
    }

    @Test func theErrorSaysHowOften() throws {
        #expect(InvariantsViolated(InvariantRecord()) == nil)
        let error = try #require(InvariantsViolated(try record()))
        #expect("\(error)".contains("no-jump 2 times"))
    }

    @Test func metricsCountEachInvariant() {
        var snapshot = FleetSnapshot()
        snapshot.tally.violations = ["no-jump": 2, "free-space": 0]
        let text = PrometheusText.of(snapshot)
        #expect(text.contains("homeport_invariant_violations_total{name=\"no-jump\"} 2\n"))
        #expect(text.contains("homeport_invariant_violations_total{name=\"free-space\"} 0\n"))
    }

    /// A day of two homes: nothing is violated.
    @Test(arguments: [false, true])
    func aRunIsClean(wearing: Bool) async throws {
        let plan = FleetPlan(
            homes: .numbered(2), counts: .usual, seed: 5, regions: 2, wearing: wearing)
        let report = try await VirtualRun(
            of: plan, seed: 5, telemetryInterval: .seconds(60),
            epoch: Timestamp(milliseconds: 1_750_500_000_000), duration: .seconds(2 * 3600)
        ).run()
        #expect(report.invariants.entries == [:])
    }

    @Test func homesTakeTheRegionsInTurn() {
        let plan = FleetPlan(homes: .numbered(5), counts: .usual, seed: 9, regions: 2)
        let regions = plan.homes.compactMap(\.first?.regionSeed)
        #expect(Set(regions).count == 2 && regions[0] == 9)
        #expect(regions[0] == regions[2] && regions[1] == regions[3] && regions[2] == regions[4])
    }
}
