import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Testing

/// Several commands at once, goals, and streams of changes.
@Suite(.timeLimit(.minutes(1))) struct InvokerBatchTests {
    private let bench: InvokerBench

    init() throws { bench = try InvokerBench() }

    @Test func aBatchIsTakenInWhole() async throws {
        let other = try DeviceID("robot-2")
        try await bench.invoker.whileRunning {
            let records = try await bench.invoker.submit([
                bench.order(), bench.order(.identify, for: bench.robot(id: other)),
                bench.order(.startCleaning()),
            ])
            #expect(records.map(\.intent.device) == [bench.device, other, bench.device])
            #expect(records.map(\.intent.name) == [.locate, .identify, .startCleaning])
            var sent: [CommandID] = []
            while sent.count < 3, let send = await bench.nextSend() { sent.append(send.id) }
            #expect(sent.filter { $0 != records[1].id } == [records[0].id, records[2].id])
        }
    }

    @Test func aBatchIsTakenInNotAtAll() async throws {
        try await bench.invoker.whileRunning {
            let error = await #expect(throws: ControlError.self) {
                try await bench.invoker.submit([
                    bench.order(), bench.order(options: CommandOptions(lifetime: .zero)),
                ])
            }
            #expect(error?.code == .badLifetime)
            bench.ledger.failNextAccept(LedgerError(.full, "there is no room left"))
            let second = await #expect(throws: ControlError.self) {
                try await bench.invoker.submit([bench.order(), bench.order()])
            }
            #expect(second?.code == .ledger)
            #expect(try await bench.ledger.history(HistoryQuery()).isEmpty)
            let next = try await bench.submit()
            #expect(await bench.nextSend()?.id == next.id)
        }
    }

    @Test func manySubmittersKeepTheOrderOfTheSequence() async throws {
        try await bench.invoker.whileRunning {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<30 { group.addTask { _ = try await bench.submit() } }
                try await group.waitForAll()
            }
            var sequences: [Int] = []
            while sequences.count < 30, let send = await bench.nextSend() {
                sequences.append(send.command.sequence)
            }
            #expect(sequences == sequences.sorted())
        }
    }

    @Test func anUrgentCommandDoesNotWaitBehindASlowOne() async throws {
        bench.channel.answer(.hold)
        try await bench.invoker.whileRunning {
            let slow = try await bench.submit(.startCleaning())
            #expect(await bench.nextSend()?.id == slow.id)
            let behind = try await bench.submit()
            let urgent = try await bench.submit(.stop)
            #expect(await bench.nextSend()?.id == urgent.id)
            bench.channel.answerHeld(.success(.confirmed))
            #expect(await bench.nextSend()?.id == behind.id)
        }
    }

    @Test func whatWaitsBehindASlowSendAndExpiresNeverLeft() async throws {
        bench.channel.answer(.hold)
        try await bench.invoker.whileRunning {
            let slow = try await bench.submit(
                .startCleaning(), options: CommandOptions(lifetime: .seconds(100)))
            #expect(await bench.nextSend()?.id == slow.id)
            let behind = try await bench.submit()
            bench.clock.advance(by: .seconds(30))
            let end = try await bench.invoker.outcome(of: behind.id)
            #expect(end.record.outcome == .expired)
            bench.channel.answerHeld(.success(.confirmed))
            let next = try await bench.submit()
            #expect(await bench.nextSend()?.id == next.id)
        }
    }

    @Test func deliveredIsReachedWithTheReceipt() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            let end = try await bench.invoker.outcome(of: record.id, goal: .delivered)
            #expect(end.isReached)
            #expect(end.record.state == .sent)
        }
    }

    @Test func theEffectIsRecordedWhenItIsSeen() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            bench.ack(.succeeded, of: record.id, revision: 6)
            #expect(try await bench.invoker.outcome(of: record.id).record.state == .succeeded)
            bench.state(revision: 6)
            let end = try await bench.invoker.outcome(of: record.id, goal: .observed)
            #expect(end.isReached)
            let stored = try #require(try await bench.ledger.record(of: record.id))
            #expect(stored.progress.timings.observedAt != nil)
            #expect(try await bench.log(of: record.id).last == .observed)
        }
    }

    @Test func onAChannelWithoutAcceptanceAReadBackEndsTheCommand() async throws {
        let bench = try InvokerBench(traits: [.delivery, .effect])
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(.setSuctionLevel(.max))
            _ = await bench.nextSend()
            bench.say(
                .evidence(
                    CommandEvidence(
                        id: record.id, device: bench.device, source: .readBack, stage: .succeeded)))
            let end = try await bench.invoker.outcome(of: record.id, goal: .observed)
            #expect(end.isReached)
            #expect(end.record.state == .succeeded)
        }
    }

    // MARK: Streams

    @Test func theStreamOfACommandTellsItsStatesAndEnds() async throws {
        bench.channel.answer(.hold)
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            var changes = bench.invoker.changes(of: record.id).makeAsyncIterator()
            #expect(await changes.next()?.state == .sending)
            _ = await bench.nextSend()
            bench.channel.answerHeld(.success(.confirmed))
            #expect(await changes.next()?.state == .sent)
            bench.ack(.accepted, of: record.id)
            #expect(await changes.next()?.state == .accepted)
            bench.ack(.succeeded, of: record.id, n: 2)
            #expect(await changes.next()?.state == .succeeded)
            #expect(await changes.next() == nil)
        }
    }

    @Test func theStreamOfAnEndedCommandTellsItsEnd() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(for: bench.robot(.offline))
            var states: [CommandState] = []
            for await change in bench.invoker.changes(of: record.id) { states.append(change.state) }
            #expect(states == [.refused])
        }
    }

    @Test func theStreamOfAnUnknownCommandIsEmpty() async throws {
        let stranger = try LifecycleBench().lifecycle.intent.id
        await bench.invoker.whileRunning {
            for await change in bench.invoker.changes(of: stranger) {
                Issue.record("there is no such command: \(change)")
            }
        }
        for await _ in bench.invoker.changes(of: stranger) {
            Issue.record("the invoker has stopped")
        }
    }
}
