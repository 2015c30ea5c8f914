import Connectivity
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Testing

@testable import DeviceControl

/// Answers that come wrongly, late, or for others.
@Suite(.timeLimit(.minutes(1))) struct InvokerAcksTests {
    private let bench: InvokerBench

    init() throws { bench = try InvokerBench() }

    @Test func anAckOfAnotherDeviceIsDroppedAndCounted() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            let other = try DeviceID("robot-2")
            bench.say(.evidence(bench.evidence(.failed, of: record.id, device: other)))
            bench.ack(.succeeded, of: record.id, n: 2)
            #expect(try await bench.invoker.outcome(of: record.id).record.state == .succeeded)
            #expect(await bench.invoker.counters.foreignAcks == 1)
            #expect(bench.anomalies == ["foreign-device"])
        }
    }

    @Test func whatADeviceSaysInOneGoIsOneChange() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            _ = try await bench.invoker.outcome(of: record.id, goal: .delivered)
            await bench.invoker.hear([
                bench.evidence(.accepted, of: record.id),
                bench.evidence(.succeeded, of: record.id, n: 2),
            ])
            var states: [CommandState] = []
            for await change in bench.ledger.changes {
                states.append(change.state)
                if change.state == .succeeded { break }
            }
            #expect(states == [.sending, .sent, .succeeded])
            #expect(
                try await bench.log(of: record.id)
                    == [.created, .sent, .receipt, .evidence, .evidence])
        }
    }

    /// What waits for a command is bounded.
    @Test func aDeviceThatSaysALotOfACommandWaits() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(.startCleaning())
            _ = try await bench.invoker.outcome(of: record.id, goal: .delivered)
            await bench.invoker.hear(
                (1...20).map { bench.evidence(.progress, of: record.id, n: $0) })
            var acks: [Int] = []
            for await change in bench.ledger.changes where change.progress.lastAck > 0 {
                acks.append(change.progress.lastAck)
                if acks.last == 20 { break }
            }
            #expect(acks == [16, 20])
        }
    }

    /// A receipt that changes nothing waits for no later change.
    @Test func aReceiptAfterAnAckIsLoggedAtOnce() async throws {
        bench.channel.answer(.hold)
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            _ = await bench.nextSend()
            bench.ack(.accepted, of: record.id)
            await bench.recorded(.accepted)
            bench.channel.answerHeld(.success(.confirmed))
            while try await bench.log(of: record.id).last != .receipt { await Task.yield() }
            bench.ack(.succeeded, of: record.id, n: 2)
            _ = try await bench.invoker.outcome(of: record.id)
            #expect(
                try await bench.log(of: record.id)
                    == [.created, .sent, .evidence, .receipt, .evidence])
        }
    }

    /// Most commands end long before a deadline of theirs, and no task is to sleep for those.
    @Test func aCommandThatHasEndedIsWokenNoMore() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            _ = try await bench.invoker.outcome(of: record.id, goal: .delivered)
            #expect(await bench.invoker.wake(of: record.id) != nil)
            bench.ack(.succeeded, of: record.id)
            _ = try await bench.invoker.outcome(of: record.id)
            #expect(await bench.invoker.wake(of: record.id) == nil)
        }
    }

    @Test func anAckForAnUnknownIDIsRecordedAndNeverBecomesACommand() async throws {
        try await bench.invoker.whileRunning {
            let stranger = try LifecycleBench().lifecycle.intent.id
            let record = try await bench.submit()
            bench.ack(.succeeded, of: stranger)
            bench.ack(.succeeded, of: record.id)
            _ = try await bench.invoker.outcome(of: record.id)
            #expect(bench.anomalies == ["unknown-command"])
            #expect(await bench.invoker.counters.unknownAcks == 1)
            #expect(try await bench.ledger.record(of: stranger) == nil)
        }
    }

    @Test func aReusedIDAndASecondFinalAckAreAnomalies() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            bench.ack(.rejected, of: record.id, code: .idReused)
            bench.ack(.succeeded, of: record.id, n: 2)
            bench.ack(.failed, of: record.id, n: 3, code: .stuck)
            let last = try await bench.submit()
            bench.ack(.succeeded, of: last.id)
            _ = try await bench.invoker.outcome(of: last.id)
            #expect(bench.anomalies == ["id-reused", "contradictory-final"])
            #expect(try await bench.ledger.record(of: record.id)?.state == .succeeded)
        }
    }

    @Test func anAckThatALivingProcessOwnsIsStoredOnceAndIsNoAnomaly() async throws {
        let other = bench.ledger.anotherProcess()
        let theirs = try await other.accept(
            try LifecycleBench().lifecycle.intent,
            opening: CommandProgress(
                step: 1, state: .sent, timings: CommandTimings(createdAt: bench.clock.now.wall)),
            channel: bench.channel.id)
        try await bench.invoker.whileRunning {
            let mine = try await bench.submit()
            bench.ack(.accepted, of: theirs.id)
            bench.ack(.accepted, of: theirs.id)
            bench.ack(.succeeded, of: mine.id)
            _ = try await bench.invoker.outcome(of: mine.id)
            #expect(bench.ledger.filed(of: theirs.id).count == 1)
            #expect(bench.anomalies.isEmpty)
            #expect(try await bench.ledger.record(of: theirs.id)?.state == .sent)
        }
    }

    @Test func aLateAckResolvesWhatNobodyFollows() async throws {
        let other = bench.ledger.anotherProcess()
        let lost = try await other.accept(
            try LifecycleBench().lifecycle.intent,
            opening: CommandProgress(
                step: 1, state: .unknown,
                timings: CommandTimings(createdAt: bench.clock.now.wall)),
            channel: bench.channel.id)
        try await bench.invoker.whileRunning {
            _ = try await bench.submit()
            bench.ack(.succeeded, of: lost.id, n: 2)
            await bench.recorded(.succeeded)
            #expect(try await bench.ledger.record(of: lost.id)?.state == .succeeded)
        }
    }

    @Test func aSilentActionIsAskedFor() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(.startCleaning())
            let final = bench.evidence(.succeeded, of: record.id, n: 2)
            bench.channel.answerQuestions(about: record.id, .known(final))
            _ = await bench.nextSend()
            bench.ack(.accepted, of: record.id)
            await bench.recorded(.accepted)
            bench.clock.advance(by: .seconds(60))
            #expect(await bench.nextQuestion() == [record.id])
            #expect(try await bench.invoker.outcome(of: record.id).record.state == .succeeded)
            #expect(try await bench.log(of: record.id).suffix(2) == [.asked, .answered])
        }
    }

    @Test func aQuestionWithoutAnswerEndsAsUnknownAndSaysWhy() async throws {
        bench.channel.holdQuestions()
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(.startCleaning())
            _ = await bench.nextSend()
            bench.ack(.accepted, of: record.id)
            await bench.recorded(.accepted)
            async let waiting = bench.invoker.outcome(of: record.id)
            bench.presence(.online, boot: try BootID("b2"))
            #expect(await bench.nextQuestion() == [record.id])
            bench.channel.answerHeldQuestions(
                .failure(CommunicationError(.timedOut, "no answer within 10 s")))
            let end = try await waiting
            #expect(end.record.outcome == .unknown)
            #expect(end.record.progress.message.hasSuffix("no answer within 10 s"))
        }
    }

    @Test func anAnswerAboutAnotherCommandIsNone() async throws {
        try await bench.invoker.whileRunning {
            let other = try LifecycleBench().lifecycle.intent.id
            let record = try await bench.submit(.startCleaning())
            bench.channel.answerQuestions(
                about: record.id, .known(bench.evidence(.succeeded, of: other)))
            _ = await bench.nextSend()
            bench.ack(.accepted, of: record.id)
            await bench.recorded(.accepted)
            bench.clock.advance(by: .seconds(60))
            #expect(try await bench.invoker.outcome(of: record.id).record.outcome == .unknown)
        }
    }

    @Test func evidenceThatChangesNothingIsFiledAndARepetitionIsNot() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            bench.ack(.progress, of: record.id, n: 2)
            bench.ack(.accepted, of: record.id, n: 1)
            var replay = bench.evidence(.progress, of: record.id, n: 2)
            replay.isReplay = true
            bench.say(.evidence(replay))
            bench.ack(.succeeded, of: record.id, n: 3)
            _ = try await bench.invoker.outcome(of: record.id)
            #expect(bench.ledger.filed(of: record.id).map(\.n) == [1])
        }
    }
}

extension CommandInvoker {
    /// When a command is to be woken.
    fileprivate func wake(of id: CommandID) -> Duration? { followed[id]?.armed }

    /// Hears one ack after the other, and does nothing else in between.
    fileprivate func hear(_ evidence: [CommandEvidence]) async {
        for evidence in evidence { await followed.enqueue(.evidence(evidence), to: evidence.id) }
    }
}
