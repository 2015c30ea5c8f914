import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// Records and events of the ledger print text that a person can read.
@Suite struct RecordDescriptionTests {
    private let start = Timestamp(milliseconds: 1_764_000_000_123)

    @Test(arguments: [
        (CommandState.accepted, "", "locate to sweeper-1: accepted"),
        (.rejected, "it is paused", "locate to sweeper-1: rejected (it is paused)"),
    ])
    func aRecordNamesCommandDeviceAndState(
        _ state: CommandState, _ message: String, _ text: String
    ) throws {
        var generator = SeededGenerator(seed: 1)
        let intent = CommandIntent(
            id: CommandID(at: start, using: &generator), controller: try ControllerID("ctl"),
            home: try HomeID("home-1"), device: try DeviceID("sweeper-1"), name: .locate,
            arguments: [:], sort: .instant, issuedAt: start,
            expiresAt: start.advanced(by: .seconds(30)))
        var progress = CommandProgress(
            state: state, result: [:], timings: CommandTimings(createdAt: start))
        progress.message = message
        let prepared = PreparedCommand(
            intent: intent, channel: try ChannelID("mqtt"), sequence: 1, payload: [])
        #expect("\(CommandRecord(prepared: prepared, progress: progress))" == text)
    }

    @Test func anEventNamesItsTimeKindCauseAndState() {
        var generator = SeededGenerator(seed: 1)
        let id = CommandID(at: start, using: &generator)
        let asked = LedgerEvent(.asked, of: id, at: start)
        #expect("\(asked)" == "2025-11-24T16:00:00.123Z asked")
        let sent = LedgerEvent(.sent, of: id, at: start, cause: "attempt 1", state: .sending)
        #expect("\(sent)" == "2025-11-24T16:00:00.123Z sent: attempt 1 -> sending")
    }
}
