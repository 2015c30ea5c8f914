import Homeport
import TerminalOutput
import Testing

@testable import HomeportCLI

/// What `watch` and `devices --watch` leave out.
@Suite struct ShownChangesTests {
    private func ack(
        _ home: SampleHome, _ number: Int, _ stage: AckStage, result: JSONObject = [:]
    ) throws -> (DeviceChange, CommandEvidence) {
        let ack = CommandEvidence(
            id: try SampleHome.command(number), device: try DeviceID("sweeper-1"), source: .device,
            stage: stage, result: result)
        return (try home.change("sweeper-1", .evidence(ack)), ack)
    }

    @Test func statusQueriesOfTheControllerAreNotShown() throws {
        let home = try SampleHome()
        var acks = ShownAcks()
        let (accepted, first) = try ack(home, 1, .accepted)
        #expect(acks.shown(accepted, first, command: nil).isEmpty)
        let answer: JSONObject = ["commands": [["id": "x", "outcome": "never"]]]
        let (succeeded, second) = try ack(home, 1, .succeeded, result: answer)
        #expect(acks.shown(succeeded, second, command: nil).isEmpty)
    }

    @Test func commandsOfAnotherLedgerAreShownLate() throws {
        let home = try SampleHome()
        var acks = ShownAcks()
        let (accepted, first) = try ack(home, 1, .accepted)
        #expect(acks.shown(accepted, first, command: nil).isEmpty)
        let (succeeded, second) = try ack(home, 1, .succeeded)
        #expect(acks.shown(succeeded, second, command: nil) == [accepted, succeeded])
        let (rejected, third) = try ack(home, 2, .rejected)
        #expect(acks.shown(rejected, third, command: nil) == [rejected])
    }

    @Test func commandsOfTheLedgerAreShownAtOnce() throws {
        let home = try SampleHome()
        var acks = ShownAcks()
        let (accepted, first) = try ack(home, 1, .accepted)
        let name = CommandName(rawValue: "locate")
        #expect(acks.shown(accepted, first, command: name) == [accepted])
    }

    @Test func aDeviceThatBeginsToPassIsIntroduced() throws {
        var home = try SampleHome.ordinary()
        let condition = try DeviceCondition("batteryPercent<50")
        var filtered = FilteredChanges(DeviceFilter(conditions: [condition]))
        func sample(_ percent: Int) -> TelemetryReport {
            TelemetryReport(["batteryPercent": .integer(percent)], at: home.noon)
        }
        for (percent, types) in [
            (60, []), (40, ["presence", "state", "telemetry"]), (39, ["telemetry"]), (70, []),
            (30, ["presence", "state", "telemetry"]),
        ] {
            let changes = try home.hear("sweeper-1", .telemetry(sample(percent)))
            let shown = filtered.shown(try #require(changes.first), try home.device("sweeper-1"))
            let renderer = WatchRenderer(format: .json)
            let seen = try shown.compactMap { renderer.line(for: $0) }.map {
                try JSONReader.read(Array($0.utf8)).object?["type"]?.string
            }
            #expect(seen == types, "at \(percent) %")
        }
        let removed = try home.change("sweeper-1", .removed)
        #expect(filtered.shown(removed, nil) == [removed])
        #expect(filtered.shown(removed, nil).isEmpty)
    }

    @Test func devicesAreListedAgainOnlyWhereTheirRowChanged() throws {
        var home = try SampleHome.ordinary()
        var list = PrintedDevices(style: ListStyle(.table))
        let first = list.lines(for: home.devices)
        #expect(first.count == 5)
        let store = try DeviceID("store-1")
        let sample = TelemetryReport(["stateOfChargePercent": 54.3], at: home.noon)
        try home.hear("store-1", .telemetry(sample))
        #expect(list.line(for: store, try home.device("store-1")) == nil)
        try home.hear("store-1", .telemetry(TelemetryReport(["stateOfChargePercent": 56])))
        let line = try #require(list.line(for: store, try home.device("store-1")))
        #expect(line == first[2].replacing("54 %", with: "56 %"))
        #expect(list.line(for: store, nil)?.contains("removed") == true)
        #expect(list.line(for: store, nil) == nil)
    }

    @Test func inJSONEveryChangeOfADeviceIsALine() throws {
        var home = try SampleHome.ordinary()
        var list = PrintedDevices(style: ListStyle(.json))
        #expect(list.lines(for: home.devices).count == 4)
        let store = try DeviceID("store-1")
        try home.hear("store-1", .telemetry(TelemetryReport(["stateOfChargePercent": 54.3])))
        let line = try #require(list.line(for: store, try home.device("store-1")))
        #expect(line.contains(#""telemetry":{"stateOfChargePercent":54.3}"#))
        #expect(list.line(for: store, try home.device("store-1")) == nil)
        #expect(list.line(for: store, nil) == #"{"type":"removed","device":"store-1"}"#)
    }
}
