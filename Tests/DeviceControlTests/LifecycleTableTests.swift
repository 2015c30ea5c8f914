import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Testing

/// Every state meets every event; the table says what it becomes. A dot means that it stays.
@Suite struct LifecycleTableTests {
    /// Columns: created queued sending sent accepted running succeeded failed rejected cancelled
    /// superseded refused expired unknown.
    static let table: [(event: String, states: String)] = [
        ("enqueued reachable", "sending . . . . . . . . . . . . ."),
        ("enqueued offline", "queued . . . . . . . . . . . . ."),
        ("reach link-down", ". . . . . . . . . . . . . ."),
        ("reach offline", ". . . . . . . . . . . . . ."),
        ("reach reachable", ". sending . . . . . . . . . . . ."),
        ("adopted reachable", "sending sending queued . . . . . . . . . . ."),
        ("send confirmed", ". . sent . . . . . . . . . . ."),
        ("send no-receiver", ". . queued queued . . . . . . . . . ."),
        ("send refused", ". . refused . . . . . . . . . . ."),
        ("send not-handed-over", ". . queued . . . . . . . . . . ."),
        ("send lost", ". . queued . . . . . . . . . . ."),
        ("ack accepted", "accepted accepted accepted accepted . . . . . . . . . accepted"),
        ("ack progress", "running running running running running . . . . . . . . running"),
        (
            "ack succeeded",
            "succeeded succeeded succeeded succeeded succeeded succeeded . . . . . . . succeeded"
        ),
        ("ack failed", "failed failed failed failed failed failed . . . . . . . failed"),
        (
            "ack rejected",
            "rejected rejected rejected rejected rejected rejected . . . . . . . rejected"
        ),
        ("ack expired", "expired expired expired expired expired expired . . . . . . . expired"),
        (
            "ack cancelled",
            "cancelled cancelled cancelled cancelled cancelled cancelled . . . . . . . cancelled"
        ),
        (
            "ack superseded",
            "superseded superseded superseded superseded superseded superseded . . . . . . . "
                + "superseded"
        ),
        ("ack id-reused", ". . . . . . . . . . . . . ."),
        ("ack foreign", ". . . . . . . . . . . . . ."),
        ("ack throttled", ". . . . . . . . . . . . . ."),
        ("ack inconsistent", ". . . . . . . . . . . . . ."),
        ("boot other", ". . . . . . . . . . . . . ."),
        ("state", ". . . . . . . . . . . . . ."),
        ("answer never", "refused refused refused refused unknown unknown . . . . . . . expired"),
        ("answer forgotten", "unknown unknown unknown unknown unknown unknown . . . . . . . ."),
        ("answer none unasked", ". . . . . . . . . . . . . ."),
        ("wake early", ". . . . . . . . . . . . . ."),
        ("wake at expiry", "expired expired unknown unknown . . . . . . . . . ."),
        ("abandoned", "unknown unknown unknown unknown unknown unknown . . . . . . . ."),
    ]

    @Test(arguments: table.map(\.event))
    func everyStateMeets(_ event: String) throws {
        let row = try #require(Self.table.first { $0.event == event })
        let expected = row.states.split(separator: " ")
        try #require(expected.count == CommandState.allCases.count)
        for (state, outcome) in zip(CommandState.allCases, expected) {
            var bench = try LifecycleBench.inState(state)
            #expect(bench.state == state, "the way to \(state)")
            let before = bench.lifecycle.progress
            let actions = try meet(event, &bench)
            let after = outcome == "." ? state.rawValue : String(outcome)
            #expect(bench.state.rawValue == after, "\(state) meets \(event)")
            expectSoundness(of: actions, from: before, to: bench.lifecycle.progress)
        }
    }

    private func expectSoundness(
        of actions: [LifecycleAction], from old: CommandProgress, to new: CommandProgress
    ) {
        #expect(actions.contains(.record) == (old != new))
        if actions.contains(.record) { #expect(actions.first == .record) }
        if old.state.isFinal {
            #expect(old == new, "a final state never changes")
            #expect(!actions.contains(.ask))
        }
        let publishes = actions.filter { if case .publish = $0 { true } else { false } }
        #expect(publishes.count == max(0, new.sends - old.sends))
        if new.lastAck > 0 { #expect(publishes.isEmpty, "after an ack nothing is sent again") }
    }

    private func meet(_ event: String, _ bench: inout LifecycleBench) throws -> [LifecycleAction] {
        switch event {
        case "enqueued reachable": bench.handle(.enqueued(.reachable))
        case "enqueued offline": bench.handle(.enqueued(.offline))
        case "reach link-down": bench.handle(.reach(.linkDown))
        case "reach offline": bench.handle(.reach(.offline))
        case "reach reachable": bench.handle(.reach(.reachable))
        case "adopted reachable": bench.handle(.adopted(.reachable))
        case "send confirmed": bench.handle(.sendEnded(.receipt(.confirmed)))
        case "send no-receiver": bench.handle(.sendEnded(.receipt(.noReceiver)))
        case "send refused": bench.handle(.sendEnded(.receipt(.refused(.forbidden, "no"))))
        case "send not-handed-over": bench.handle(.sendEnded(.notHandedOver("no link")))
        case "send lost": bench.handle(.sendEnded(.lostOnTheWay("broken")))
        case "ack id-reused":
            bench.handle(.ack(bench.ack(.rejected, n: 1, code: .idReused)))
        case "ack foreign":
            bench.handle(.ack(bench.ack(.succeeded, n: 9, device: try DeviceID("robot-2"))))
        case "ack throttled":
            bench.handle(.ack(bench.ack(.rejected, n: 0, code: .throttled, isFinal: false)))
        case "ack inconsistent": bench.handle(.ack(bench.ack(.succeeded, n: 9, isFinal: false)))
        case "boot other": bench.handle(.boot(try BootID("b9")))
        case "state": bench.handle(.state(revision: 9))
        case "answer never": bench.handle(.answer(.never))
        case "answer forgotten": bench.handle(.answer(.forgotten))
        case "answer none unasked": bench.handle(.answer(.none))
        case "wake early": bench.handle(.wake)
        case "wake at expiry": bench.pass(.seconds(30))
        case "abandoned": bench.handle(.abandoned)
        default: try meetAck(event, &bench)
        }
    }

    private func meetAck(_ event: String, _ bench: inout LifecycleBench) throws
        -> [LifecycleAction]
    {
        let name = try #require(event.split(separator: " ").last)
        let stage = try #require(AckStage(rawValue: String(name)))
        return bench.handle(.ack(bench.ack(stage, n: 9)))
    }
}
