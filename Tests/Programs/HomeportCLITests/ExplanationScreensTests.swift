import Homeport
import Testing

@testable import HomeportCLI

/// The timeline that `explain` prints.
@Suite struct ExplanationScreensTests {
    private func timeline(_ events: [(String, CommandState?, Int?)]) throws -> [String] {
        let home = try SampleHome()
        let record = try home.record(1, "start-cleaning", .running)
        let explanation = CommandExplanation(
            record,
            events.map { cause, state, percent in
                LedgerEvent(
                    .evidence, of: record.id, at: home.noon, cause: cause, state: state,
                    detail: percent.map { ["percent": .integer($0)] } ?? [:])
            }, at: home.noon)
        return ExplanationRenderer(format: .human, time: SampleHome.time).lines(for: explanation)
            .filter { $0.contains("says") }
            .map { $0.split(separator: " ").drop { $0 != "sweeper-1" }.joined(separator: " ") }
    }

    @Test func ofReportsOfProgressTheLastIsShownWithTheirNumber() throws {
        #expect(
            try timeline([
                ("sweeper-1 says accepted", .accepted, nil),
                ("sweeper-1 says progress", .running, 2),
                ("sweeper-1 says progress", nil, 4),
                ("sweeper-1 says progress", nil, 6),
                ("sweeper-1 says progress", nil, 8),
                ("sweeper-1 says succeeded", .succeeded, nil),
            ]) == [
                "sweeper-1 says accepted accepted",
                "sweeper-1 says progress: 2 % done running",
                "sweeper-1 says progress: 8 % done (the last of 3 such reports)",
                "sweeper-1 says succeeded succeeded",
            ])
    }

    @Test func aDryRunIsCalledOne() throws {
        let home = try SampleHome()
        let real = try home.record(1, "set-reserve", .succeeded)
        #expect(title(of: real) == "set-reserve for sweeper-1 in home-1")
        let dry = try home.record(1, "set-reserve", .succeeded, isDryRun: true)
        #expect(title(of: dry) == "set-reserve (dry run) for sweeper-1 in home-1")
    }

    private func title(of record: CommandRecord) -> String? {
        ExplanationRenderer(format: .human, time: SampleHome.time)
            .lines(for: CommandExplanation(record, [], at: record.intent.issuedAt)).first
    }

    @Test func otherReportsAreShownEach() throws {
        #expect(
            try timeline([
                ("sweeper-1 says succeeded", .succeeded, nil),
                ("sweeper-1 says accepted, too late", nil, nil),
                ("sweeper-1 says failed, too late", nil, nil),
            ]).count == 3)
    }
}
