import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Testing

/// What goes wrong outside a command reaches whoever waits for it.
@Suite(.timeLimit(.minutes(1))) struct InvokerFailureTests {
    private let bench: InvokerBench

    init() throws { bench = try InvokerBench() }

    // MARK: The ledger

    /// A process that was stopped for a while may own the home no more when it goes on, just before it sends.
    @Test func nothingLeavesWhileTheLedgerDoesNotLetIt() async throws {
        try await bench.invoker.whileRunning {
            bench.ledger.keepCommands(true)
            let record = try await bench.submit()
            let told = await bench.recorded(
                message: "whether this process still owns the home is not certain")
            #expect(told?.id == record.id && told?.progress.sends == 0)
            bench.ledger.keepCommands(false)
            await bench.advanceToDeadline(within: .seconds(5))
            #expect(await bench.nextSend()?.id == record.id)
        }
    }

    // MARK: Conversations

    @Test func aConversationThatCannotBeginShowsItsReason() async throws {
        let reason = "the broker did not answer the subscription to acks"
        bench.channel.refuseConversations(
            CommunicationError(.timedOut, reason, certainty: .neverLeft, isRetriable: true))
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            #expect(record.state == .queued)
            #expect(record.progress.message == reason)
            #expect(try await bench.ledger.record(of: record.id)?.progress.message == reason)
            bench.channel.refuseConversations(nil)
            await bench.advanceToDeadline(within: .seconds(1.2))
            #expect(await bench.nextSend()?.id == record.id)
        }
    }

    @Test func aConversationThatIsForbiddenEndsTheCommandRefused() async throws {
        let reason = "the broker does not allow the subscription to acks"
        bench.channel.refuseConversations(CommunicationError(.notPermitted, reason))
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            #expect(record.state == .refused)
            #expect(record.progress.code == .forbidden)
            #expect(record.progress.message == reason)
            #expect(try await bench.ledger.record(of: record.id) == record)
            bench.channel.refuseConversations(nil)
            let next = try await bench.submit()
            #expect(await bench.nextSend()?.id == next.id, "the next command tries again")
        }
    }

    @Test func aCommandThatWaitsEndsWhenListeningIsForbidden() async throws {
        bench.channel.refuseConversations(
            CommunicationError(.timedOut, "no answer", isRetriable: true))
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            bench.channel.refuseConversations(CommunicationError(.notPermitted, "not allowed"))
            await bench.advanceToDeadline(within: .seconds(1.2))
            let end = try await bench.invoker.outcome(of: record.id)
            #expect(end.record.outcome == .refused)
            #expect(end.record.progress.message == "not allowed")
        }
    }

    @Test func aBrokenLinkIsTheReasonWhyACommandWaits() async throws {
        try await bench.invoker.whileRunning {
            _ = try await bench.submit()
            _ = await bench.nextSend()
            bench.channel.loseLink(CommunicationError(.unreachable, "the broker is gone"))
            let record = try await bench.submit(.startCleaning(), for: bench.robot())
            let told = await bench.recorded(message: "the broker is gone")
            #expect(told?.id == record.id)
            #expect(told?.state == .queued)
        }
    }

    @Test func aLimitedLinkWorks() async throws {
        bench.channel.limitLink(CommunicationError(.notPermitted, "no events"))
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            #expect(await bench.nextSend()?.id == record.id)
        }
    }

    @Test func aSendThatIsUselessToRepeatEndsTheCommandWithItsReason() async throws {
        bench.channel.answer(
            .failure(
                CommunicationError(
                    .cannotExpress, "the bridge knows no such value", certainty: .neverLeft)))
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            let end = try await bench.invoker.outcome(of: record.id)
            #expect(end.record.outcome == .refused)
            #expect(end.record.progress.code == .badRequest)
            #expect(end.record.progress.message == "the bridge knows no such value")
        }
    }

    // MARK: The invoker itself

    @Test func withoutRunASubmitIsAClearError() async throws {
        let error = await #expect(throws: ControlError.self) { try await bench.submit() }
        #expect(error?.code == .notRunning)
        #expect(try await bench.ledger.history(HistoryQuery()).isEmpty)
    }

    @Test func afterTheEndASubmitIsAClearErrorAndWaitsEnd() async throws {
        let record = try await bench.invoker.whileRunning { try await bench.submit() }
        let invoker = bench.invoker
        await invoker.run()
        let submit = await #expect(throws: ControlError.self) { try await bench.submit() }
        #expect(submit?.code == .notRunning)
        let wait = await #expect(throws: ControlError.self) {
            try await invoker.outcome(of: record.id)
        }
        #expect(wait?.code == .notRunning)
    }

    @Test func waitsEndWithTheInvoker() async throws {
        let bench = bench
        let (submitted, source) = BoundedStream<CommandRecord>.make(.dropOldest(limit: 1))
        let (pause, end) = BoundedStream<Void>.make(.dropOldest(limit: 1))
        async let running: Void = bench.invoker.whileRunning {
            source.send(try await bench.submit())
            for await _ in pause {}
        }
        var records = submitted.makeAsyncIterator()
        let record = try #require(await records.next())
        async let waiting = errorOfWait(for: record.id)
        _ = await bench.nextSend()
        end.finish()
        try await running
        #expect(await waiting?.code == .notRunning)
    }

    private func errorOfWait(for id: CommandID) async -> ControlError? {
        do throws(ControlError) {
            _ = try await bench.invoker.outcome(of: id)
            return nil
        } catch {
            return error
        }
    }

    @Test func whatTheChannelCannotExpressIsNotRecorded() async throws {
        bench.channel.refuseCommands(
            CommunicationError(.cannotExpress, "no such command here", certainty: .neverLeft))
        try await bench.invoker.whileRunning {
            let error = await #expect(throws: ControlError.self) { try await bench.submit() }
            #expect(error?.code == .cannotExpress)
            #expect(error?.message == "no such command here")
            let history = try await bench.ledger.history(HistoryQuery())
            #expect(history.isEmpty)
        }
    }

    @Test func aWriteThatFailedIsWrittenAgainWithItsCauses() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            await bench.recorded(.sent)
            bench.ledger.failNextAdvance(LedgerError(.busy, "busy"))
            bench.ack(.succeeded, of: record.id)
            #expect(try await bench.invoker.outcome(of: record.id).record.state == .succeeded)
            await bench.advanceToDeadline(within: .seconds(1))
            await bench.recorded(.succeeded)
            #expect(try await bench.log(of: record.id).contains(.evidence))
        }
    }
    @Test func aStateThatTheLedgerDidNotTakeIsTold() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            await bench.recorded(.sent)
            bench.ledger.failNextAdvance(LedgerError(.full, "there is no room left"))
            bench.ack(.succeeded, of: record.id)
            let end = try await bench.invoker.outcome(of: record.id)
            #expect(end.record.state == .succeeded)
            #expect(end.unrecorded == "there is no room left")
            await bench.advanceToDeadline(within: .seconds(1))
            await bench.recorded(.succeeded)
            #expect(try await bench.invoker.outcome(of: record.id).unrecorded == nil)
        }
    }

    @Test func aLateAnswerIsWaitedForWhereNobodyKnows() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(options: CommandOptions(lifetime: .seconds(1)))
            await bench.recorded(.sent)
            bench.clock.advance(by: .seconds(1))
            #expect(try await bench.invoker.outcome(of: record.id).record.state == .unknown)
            async let certain = bench.invoker.outcome(of: record.id, goal: .certain)
            bench.ack(.expired, of: record.id)
            #expect(try await certain.isReached)
            #expect(try await certain.record.state == .expired)
        }
    }
}
