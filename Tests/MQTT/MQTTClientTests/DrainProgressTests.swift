import Testing

@testable import MQTTClient

/// A close, through the states of the machine that hold it.
@Suite struct DrainProgressTests {
    /// The reports that the callers of a close got. Used by one test only.
    private final class Reports {
        var all: [MQTTDrainReport] = []
    }

    private let reports = Reports()

    @Test func everyCallerGetsTheReport() throws {
        var machine = connected()
        _ = machine.close(request(end: 10))
        _ = machine.close(request(end: 99))
        #expect(machine.drainEnd == 10)
        _ = machine.delivered()
        _ = machine.delivered()
        _ = machine.drained()
        machine.sentDisconnect()
        let unsent = try MQTTMessage.test("a")
        try drain(machine.lingerEnded()).complete(undelivered: 1, unsent: [unsent])
        let report = MQTTDrainReport(
            delivered: 2, undelivered: 1, unsent: [unsent], isDisconnectSent: true)
        #expect(reports.all == [report, report])
    }

    @Test func theNewestPropertiesAreSent() throws {
        let newest = try MQTTDisconnectProperties(reasonString: "bye")
        var machine = connected()
        _ = machine.close(request(end: 10))
        _ = machine.close(request(end: 10, newest))
        guard case .disconnect(newest) = machine.drained() else {
            Issue.record("expected a DISCONNECT with the properties of the second call")
            return
        }
    }

    /// In each state the callers learn what was delivered until then.
    @Test func anEndOnTheWayIsReported() throws {
        var aborted = connected()
        _ = aborted.close(request(end: 10))
        _ = aborted.delivered()
        try drain(aborted.abort()).complete(undelivered: 3, unsent: [])
        var lost = connected()
        _ = lost.close(request(end: 10))
        _ = lost.drained()
        _ = lost.delivered()
        var generator = LargestNumbers()
        let error = MQTTError(.connectionLost, "lost")
        try drain(lost.failed(error, at: 0, using: &generator)).complete(undelivered: 4, unsent: [])
        #expect(
            reports.all == [
                MQTTDrainReport(delivered: 1, undelivered: 3),
                MQTTDrainReport(delivered: 1, undelivered: 4),
            ])
    }

    @Test func aCloseWithoutAConnectionIsReportedAtOnce() throws {
        var machine = MQTTConnectionStateMachine(policy: .init(), clientID: nil)
        try drain(machine.close(request(end: 10))).complete(undelivered: 0, unsent: [])
        #expect(reports.all == [MQTTDrainReport()])
        #expect(machine.drainEnd == nil)
    }

    /// Without a close there is nothing to count or to report.
    @Test func onlyACloseDrains() {
        var machine = connected()
        let isDraining = machine.delivered()
        machine.sentDisconnect()
        #expect(machine.isConnected && !isDraining)
        guard case .finish(nil) = machine.abort() else {
            Issue.record("expected an end without a report")
            return
        }
    }

    private func request(
        end: UInt64, _ properties: MQTTDisconnectProperties = .none
    ) -> DrainProgress {
        DrainProgress(end: end, properties: properties) { [reports] in reports.all.append($0) }
    }

    private func connected() -> MQTTConnectionStateMachine {
        var machine = MQTTConnectionStateMachine(policy: .init(), clientID: nil)
        _ = machine.start()
        _ = machine.resolved(["127.0.0.1"])
        _ = machine.permitted(until: 1_000)
        _ = machine.accepted(at: 0)
        return machine
    }

    private func drain(_ action: MQTTConnectionStateMachine.Action) throws -> DrainProgress {
        guard case .finish(let drain) = action else {
            throw UnexpectedAction(action: "\(action)")
        }
        return try #require(drain)
    }

    private struct UnexpectedAction: Error {
        let action: String
    }
}
