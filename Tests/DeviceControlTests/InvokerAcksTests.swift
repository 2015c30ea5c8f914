import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// Answers that come wrongly, late, or for others.
@Suite(.timeLimit(.minutes(1))) struct InvokerAcksTests {
    private let bench: InvokerBench

    init() throws { bench = try InvokerBench() }

    @Test func anAckOfAnotherDeviceIsDroppedAndCounted() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.invoker.submit(
                bench.robot().locate(), to: bench.robot())
            let other = try DeviceID("robot-2")
            bench.say(.ack(bench.makeAck(.failed, of: record.id, device: other)))
            bench.ack(.succeeded, of: record.id, n: 2)
            #expect(try await bench.invoker.outcome(of: record.id).record.state == .succeeded)
            #expect(await bench.invoker.counters.foreignAcks == 1)
            #expect(bench.ledger.anomalies.map(\.kind) == [.foreignDevice])
        }
    }

    @Test func anAckForAnUnknownIDIsRecordedAndNeverBecomesACommand() async throws {
        try await bench.invoker.whileRunning {
            let stranger = try LifecycleBench().lifecycle.intent.id
            let record = try await bench.invoker.submit(
                bench.robot().locate(), to: bench.robot())
            bench.ack(.succeeded, of: stranger)
            bench.ack(.succeeded, of: record.id)
            _ = try await bench.invoker.outcome(of: record.id)
            #expect(bench.ledger.anomalies.map(\.kind) == [.unknownCommand])
            #expect(await bench.invoker.counters.unknownAcks == 1)
            #expect(try await bench.ledger.record(of: stranger) == nil)
        }
    }

    @Test func aReusedIDAndASecondFinalAckAreAnomalies() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.invoker.submit(
                bench.robot().locate(), to: bench.robot())
            bench.ack(.rejected, of: record.id, code: .idReused)
            bench.ack(.succeeded, of: record.id, n: 2)
            bench.ack(.failed, of: record.id, n: 3, code: .stuck)
            let last = try await bench.invoker.submit(bench.robot().locate(), to: bench.robot())
            bench.ack(.succeeded, of: last.id)
            _ = try await bench.invoker.outcome(of: last.id)
            #expect(bench.ledger.anomalies.map(\.kind) == [.idReused, .contradictoryFinal])
            #expect(try await bench.ledger.record(of: record.id)?.state == .succeeded)
        }
    }

    @Test func anAckThatALivingProcessOwnsIsStoredOnceAndIsNoAnomaly() async throws {
        let other = bench.ledger.anotherProcess()
        let theirs = try await other.accept(
            try LifecycleBench().lifecycle.intent,
            opening: CommandProgress(
                step: 1, state: .sent, timings: CommandTimings(createdAt: bench.clock.now.wall)))
        try await bench.invoker.whileRunning {
            let mine = try await bench.invoker.submit(bench.robot().locate(), to: bench.robot())
            bench.ack(.accepted, of: theirs.id)
            bench.ack(.accepted, of: theirs.id)
            bench.ack(.succeeded, of: mine.id)
            _ = try await bench.invoker.outcome(of: mine.id)
            #expect(bench.ledger.acks(of: theirs.id).count == 1)
            #expect(bench.ledger.anomalies.isEmpty)
            #expect(try await bench.ledger.record(of: theirs.id)?.state == .sent)
        }
    }

    @Test func aLateAckResolvesWhatNobodyFollows() async throws {
        let other = bench.ledger.anotherProcess()
        let lost = try await other.accept(
            try LifecycleBench().lifecycle.intent,
            opening: CommandProgress(
                step: 1, state: .unknown,
                timings: CommandTimings(createdAt: bench.clock.now.wall)))
        try await bench.invoker.whileRunning {
            _ = try await bench.invoker.submit(bench.robot().locate(), to: bench.robot())
            bench.ack(.succeeded, of: lost.id, n: 2)
            await bench.recorded(.succeeded)
            #expect(try await bench.ledger.record(of: lost.id)?.state == .succeeded)
        }
    }

    @Test func aSilentActionIsAskedFor() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.invoker.submit(
                bench.robot().startCleaning(), to: bench.robot())
            _ = await bench.nextSend()
            bench.ack(.accepted, of: record.id)
            await bench.recorded(.accepted)
            bench.clock.advance(by: .seconds(60))
            let query = try #require(await bench.nextSend())
            #expect(try bench.questioned(query) == [record.id.text])
            let final = bench.makeAck(.succeeded, of: record.id, n: 2).replayed
            bench.answer(query, [try final.entry()])
            #expect(try await bench.invoker.outcome(of: record.id).record.state == .succeeded)
        }
    }

    @Test func aQuestionWithoutAnswerEndsAsUnknown() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.invoker.submit(
                bench.robot().startCleaning(), to: bench.robot())
            _ = await bench.nextSend()
            bench.ack(.accepted, of: record.id)
            await bench.recorded(.accepted)
            async let waiting = bench.invoker.outcome(of: record.id)
            bench.presence(.online, boot: try BootID("b2"))
            let query = try #require(await bench.nextSend())
            #expect(try bench.questioned(query) == [record.id.text])
            await bench.recorded(.sent)
            bench.clock.advance(by: .seconds(10))
            #expect(try await waiting.record.outcome == .unknown)
        }
    }
}
