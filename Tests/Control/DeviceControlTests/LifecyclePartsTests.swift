import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceControl

/// The parts that a lifecycle is made of, each by itself.
@Suite struct LifecyclePartsTests {
    typealias Transmission = LifecyclePhase.Transmission

    @Test(arguments: [
        (Transmission.inLane, Transmission.paused), (.due(at: .seconds(9)), .paused),
        (.underWay, .underWay), (.paused, .paused), (.over, .over),
    ])
    func nothingIsSentAgainWhileTheDeviceIsAway(_ before: Transmission, _ after: Transmission) {
        var resends = ResendSchedule(seed: 1)
        let unused = resends
        #expect(before.adapted(to: .offline, at: .seconds(5), with: &resends) == after)
        #expect(resends == unused)
    }

    @Test func resendsBeginAnewWhenTheDeviceIsBack() {
        var resends = ResendSchedule(seed: 1)
        for _ in 1...4 { _ = resends.next() }
        let resend = Transmission.paused.adapted(
            to: .reachable, at: .seconds(5), with: &resends)
        guard case .due(let time) = resend else {
            Issue.record("\(resend)")
            return
        }
        #expect(time >= .seconds(5.8) && time <= .seconds(6.2))
        let due = Transmission.due(at: time)
        #expect(due.adapted(to: .reachable, at: .seconds(6), with: &resends) == due)
    }

    @Test(
        arguments: [
            (LifecyclePhase.queued(retryAt: nil), LifecyclePhase.Expectation.leaving),
            (.storing(.reading), .leaving), (.sending(.inLane), .leaving),
            (.sending(.over), .answer),
            (.sent(.inLane), .answer), (.asking(.sent, .wanted(at: nil)), .answer),
            (.accepted(silentAt: nil), .end), (.asking(.running, .wanted(at: nil)), .end),
            (.asking(.sent, .asked), nil), (.unknown, nil), (.ended(.succeeded), nil),
        ] as [(LifecyclePhase, LifecyclePhase.Expectation?)])
    func theStartTimeEndsWhatHasNotHappened(
        _ phase: LifecyclePhase, _ expectation: LifecyclePhase.Expectation?
    ) {
        #expect(phase.expectation(of: .setting) == expectation)
        // An action that the device works on may go on.
        #expect(phase.expectation(of: .action) == (expectation == .end ? nil : expectation))
    }

    @Test func theLogSaysWhetherADeadlineLedToASend() throws {
        let intent = try LifecycleBench().lifecycle.intent
        let before = CommandProgress(
            state: .sent, sends: 1, timings: CommandTimings(createdAt: intent.issuedAt))
        var resent = before
        resent.sends = 2
        var lost = before
        lost.state = .unknown
        lost.message = "the device did not answer in time"
        let entries = [resent, lost].map {
            LifecycleLog(event: .wake, intent: intent, before: before, after: $0)
                .entries(at: intent.issuedAt)
        }
        #expect(entries[0].map(\.kind) == [.deadline, .sent])
        #expect(entries[0].map(\.cause) == ["it is time to send it again", "attempt 2"])
        #expect(entries[0].map(\.state) == [nil, nil])
        #expect(entries[1].map(\.cause) == ["the device did not answer in time"])
        #expect(entries[1].map(\.state) == [.unknown])
    }

    @Test(
        arguments: [
            (CommandState.succeeded, AckStage.succeeded, nil),
            (.succeeded, .failed, .contradictoryFinal), (.succeeded, .progress, nil),
            (.refused, .accepted, .ackAfterEnd), (.refused, .succeeded, .contradictoryFinal),
            (.cancelled, .rejected, nil), (.expired, .expired, nil),
        ] as [(CommandState, AckStage, CommandAnomaly.Kind?)])
    func theFirstEndHolds(
        _ state: CommandState, _ stage: AckStage, _ anomaly: CommandAnomaly.Kind?
    ) throws {
        let intent = try LifecycleBench().lifecycle.intent
        let progress = CommandProgress(
            state: state, code: .ok, timings: CommandTimings(createdAt: intent.issuedAt))
        let evidence = CommandEvidence(
            id: intent.id, device: intent.device, source: .device, stage: stage, n: 1,
            executions: 0)
        #expect(progress.contradiction(in: evidence) == anomaly)
    }
}
