import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Testing

/// Every state meets every event; the tables say what it becomes. A dot means that it stays.
@Suite struct LifecycleTableTests {
    /// Columns: created queued sending sent accepted running succeeded failed rejected cancelled
    /// superseded refused expired unknown. A bare space is one column.
    struct Row: Sendable, CustomTestStringConvertible {
        let event: String
        let states: String
        var testDescription: String { event }

        init(_ event: String, _ states: String) {
            self.event = event
            self.states = states
        }
    }

    private static let finals = ". . . . . . ."

    /// A channel that can report and promise everything.
    static let full: [Row] = [
        Row("enqueued reachable", "sending . . . . . \(finals) ."),
        Row("enqueued offline", "queued . . . . . \(finals) ."),
        Row("enqueued refused", "refused . . . . . \(finals) ."),
        Row("reach link-down", ". . . . . . \(finals) ."),
        Row("reach offline", ". . . . . . \(finals) ."),
        Row("reach reachable", ". sending . . . . \(finals) ."),
        Row("reach refused", ". refused . . . . \(finals) ."),
        Row("adopted reachable", "sending sending queued . . . \(finals) ."),
        Row("turn", ". . . . . . \(finals) ."),
        Row("send confirmed", ". . sent . . . \(finals) ."),
        Row("send no-receiver", ". . queued . . . \(finals) ."),
        Row("send refused", ". . refused . . . \(finals) ."),
        Row("send never-left", ". . queued . . . \(finals) ."),
        Row("send cannot-leave", ". . refused . . . \(finals) ."),
        Row("send may-have-left", ". . queued . . . \(finals) ."),
        Row("ack accepted", "accepted accepted accepted accepted . . \(finals) accepted"),
        Row("ack progress", "running running running running running . \(finals) running"),
        Row("ack succeeded", everywhere("succeeded")),
        Row("ack failed", everywhere("failed")),
        Row("ack rejected", everywhere("rejected")),
        Row("ack expired", everywhere("expired")),
        Row("ack cancelled", everywhere("cancelled")),
        Row("ack superseded", everywhere("superseded")),
        Row("read-back", everywhere("succeeded")),
        Row("bridge failed", everywhere("failed")),
        Row("ack id-reused", ". . . . . . \(finals) ."),
        Row("ack foreign", ". . . . . . \(finals) ."),
        Row("ack throttled", ". . . . . . \(finals) ."),
        Row("ack inconsistent", ". . . . . . \(finals) ."),
        Row("boot other", ". . . . . . \(finals) ."),
        Row("state", ". . . . . . \(finals) ."),
        Row("answer never", "refused refused refused refused unknown unknown \(finals) expired"),
        Row(
            "answer forgotten",
            "unknown unknown unknown unknown unknown unknown \(finals) ."),
        Row("answer none unasked", ". . . . . . \(finals) ."),
        Row("wake early", ". . . . . . \(finals) ."),
        Row("wake at expiry", "expired expired unknown unknown . . \(finals) ."),
    ]

    /// A channel that confirms what it takes and reports nothing else: nobody can be asked, and
    /// nothing can be sent twice. Only the rows that differ.
    static let deaf: [Row] = [
        Row("adopted reachable", "sending sending unknown . . . \(finals) ."),
        Row("send may-have-left", ". . unknown . . . \(finals) ."),
        Row("boot other", ". . . . unknown unknown \(finals) ."),
        Row("wake after silence", "expired expired unknown unknown unknown unknown \(finals) ."),
    ]

    private static func everywhere(_ state: String) -> String {
        "\(Array(repeating: state, count: 6).joined(separator: " ")) \(finals) \(state)"
    }

    @Test(arguments: full) func everyStateMeets(_ row: Row) throws {
        try check(row, traits: .all)
    }

    @Test(arguments: merged(deaf)) func onAChannelThatOnlyConfirmsEveryStateMeets(_ row: Row) throws
    {
        try check(row, traits: [.delivery])
    }

    /// The full table with some rows replaced.
    private static func merged(_ rows: [Row]) -> [Row] {
        full.filter { row in !rows.contains { $0.event == row.event } } + rows
    }

    private func check(_ row: Row, traits: ChannelTraits) throws {
        let expected = row.states.split(separator: " ")
        try #require(expected.count == CommandState.allCases.count)
        for (state, outcome) in zip(CommandState.allCases, expected) {
            var bench = try LifecycleBench.inState(state, traits: traits)
            #expect(bench.state == state, "the way to \(state)")
            let before = bench.lifecycle.progress
            let actions = try meet(row.event, &bench)
            let after = outcome == "." ? state.rawValue : String(outcome)
            #expect(bench.state.rawValue == after, "\(state) meets \(row.event)")
            expectSoundness(of: actions, from: before, to: bench.lifecycle, traits)
        }
    }

    private func expectSoundness(
        of actions: [LifecycleBench.Step], from old: CommandProgress,
        to lifecycle: CommandLifecycle,
        _ traits: ChannelTraits
    ) {
        let new = lifecycle.progress
        #expect(actions.contains(.record) == (old != new))
        #expect(new.step == old.step + (old == new ? 0 : 1))
        if actions.contains(.record) { #expect(actions.first == .record) }
        if old.state.isFinal {
            #expect(old == new.withoutObservation(of: old), "a final state never changes")
            #expect(lifecycle.nextWake == nil)
            #expect(lifecycle.place == .none)
        }
        if old.state.isFinal || !traits.contains(.asking) { #expect(!actions.contains(.ask)) }
        let publishes = actions.filter(\.isPublish).count
        #expect(publishes == max(0, new.sends - old.sends))
        if new.lastAck > 0 { #expect(publishes == 0, "after an ack nothing is sent again") }
        if old.mayHaveLeft, !traits.contains(.deduplication) {
            #expect(publishes == 0, "what may have left is not sent twice")
        }
    }

    private func meet(_ event: String, _ bench: inout LifecycleBench) throws -> [LifecycleBench
        .Step]
    {
        switch event {
        case "enqueued reachable": bench.handle(.enqueued(.reachable))
        case "enqueued offline": bench.handle(.enqueued(.offline))
        case "enqueued refused": bench.handle(.enqueued(.refused(.forbidden, "no")))
        case "reach link-down": bench.handle(.reach(.linkDown("broken")))
        case "reach offline": bench.handle(.reach(.offline))
        case "reach reachable": bench.handle(.reach(.reachable))
        case "reach refused": bench.handle(.reach(.refused(.forbidden, "no")))
        case "adopted reachable": bench.handle(.adopted(.reachable))
        case "turn": bench.takeTurn()
        case "send confirmed": bench.handle(.sendEnded(.receipt(.confirmed)))
        case "send no-receiver": bench.handle(.sendEnded(.receipt(.noReceiver)))
        case "send refused": bench.handle(.sendEnded(.receipt(.refused(.forbidden, "no"))))
        case "send never-left": bench.handle(.sendEnded(.neverLeft("no link")))
        case "send cannot-leave": bench.handle(.sendEnded(.cannotLeave(.badRequest, "no")))
        case "send may-have-left": bench.handle(.sendEnded(.mayHaveLeft("broken")))
        case "boot other": bench.handle(.boot(try BootID("b9")))
        case "state": bench.handle(.state(revision: 9))
        case "answer never": bench.handle(.answer(.told(.never)))
        case "answer forgotten": bench.handle(.answer(.told(.forgotten)))
        case "answer none unasked": bench.handle(.answer(.none("")))
        case "wake early": bench.handle(.wake)
        case "wake at expiry": bench.pass(.seconds(30))
        case "wake after silence": bench.pass(.seconds(60))
        default: bench.handle(.evidence(try evidence(event, bench)))
        }
    }

    private func evidence(_ event: String, _ bench: LifecycleBench) throws -> CommandEvidence {
        switch event {
        case "ack id-reused": return bench.ack(.rejected, n: 1, code: .idReused)
        case "ack foreign": return bench.ack(.succeeded, n: 9, device: try DeviceID("robot-2"))
        case "ack throttled": return bench.ack(.rejected, n: 0, code: .throttled, isFinal: false)
        case "ack inconsistent": return bench.ack(.succeeded, n: 9, isFinal: false)
        case "read-back": return bench.readBack()
        case "bridge failed": return bench.ack(.failed, n: nil, source: .bridge)
        default:
            let name = try #require(event.split(separator: " ").last)
            return bench.ack(try #require(AckStage(rawValue: String(name))), n: 9)
        }
    }
}

extension CommandProgress {
    /// The same as another progress as far as the observation of the effect is concerned, which
    /// alone may come after the end.
    fileprivate func withoutObservation(of other: CommandProgress) -> CommandProgress {
        var copy = self
        if timings.observedAt != other.timings.observedAt {
            copy.timings.observedAt = other.timings.observedAt
            copy.step = other.step
        }
        return copy
    }
}
