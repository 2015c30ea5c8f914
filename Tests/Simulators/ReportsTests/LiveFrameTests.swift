import Fleet
import Reports
import TerminalOutput
import Testing

/// What people see while a fleet runs.
@Suite struct LiveFrameTests {
    private let clock = LiveFrame.Clock(
        text: "2026-06-21 06:00:00", speed: 60, isPaused: false)

    private func lines(
        _ snapshot: FleetSnapshot, after former: FleetSnapshot? = nil, width: Int? = nil
    ) -> [String] {
        LiveFrame(
            LiveFrame.Reading(snapshot, at: .seconds(12)),
            after: former.map { LiveFrame.Reading($0, at: .seconds(10)) }, clock: clock,
            in: Layout(width: width)
        ).lines
    }

    @Test func aBarShowsHowManyDevicesAreReady() {
        var snapshot = FleetSnapshot()
        (snapshot.totalDevices, snapshot.readyDevices, snapshot.connectedDevices) = (60, 20, 25)
        let bar = String(repeating: "█", count: 10) + String(repeating: "░", count: 20)
        #expect(lines(snapshot)[0] == "world      2026-06-21 06:00:00, speed 60")
        #expect(lines(snapshot)[1] == "devices    \(bar) 20 of 60 ready, 25 connected")
        snapshot.readyDevices = 60
        #expect(lines(snapshot)[1] == "devices    all 60 ready")
    }

    @Test func statesRatesLatenciesAndFaultsAreTold() {
        var (former, snapshot) = (FleetSnapshot(), FleetSnapshot())
        former.tally.sent = ["telemetry": 100]
        snapshot.tally.sent = ["telemetry": 130, "ack": 5]
        snapshot.tally.received = ["command": 4]
        snapshot.activities = [
            .init(kind: "sweeping-robot", name: "docked"): 2,
            .init(kind: "sweeping-robot", name: "cleaning"): 5,
        ]
        for time in [4, 20, 1500] { snapshot.commandLatency.add(milliseconds: time) }
        snapshot.faults = ["stuck": 3, "mute": 0]
        snapshot.speedRatio = 0.5
        let text = lines(snapshot, after: former).joined(separator: "\n")
        #expect(text.contains("speed 60, 50 % of it reached"))
        #expect(text.contains("sweeping-robot: 5 cleaning, 2 docked"))
        #expect(text.contains("messages   17.5 sent and 2 received per second"))
        #expect(text.contains("commands   3 ended, p50 20 ms, p99 1.5 s"))
        #expect(text.contains("faults     stuck 3") && !text.contains("mute"))
        #expect(!text.contains("lateness"))
    }

    @Test func linesFitTheTerminal() {
        var snapshot = FleetSnapshot()
        for number in 0..<40 {
            snapshot.activities[.init(kind: "kind", name: "activity-\(number)")] = number
        }
        for line in lines(snapshot, width: 40) { #expect(line.count <= 44, "\(line)") }
    }
}
