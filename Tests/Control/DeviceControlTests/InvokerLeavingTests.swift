import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Testing

/// Commands of a home that another process owns.
@Suite(.timeLimit(.minutes(1))) struct InvokerLeavingTests {
    private let owner: InMemoryCommandLedger
    private let bench: InvokerBench

    init() throws {
        owner = InMemoryCommandLedger()
        bench = try InvokerBench(connected: false, ledger: owner.anotherProcess())
        bench.ledger.leaveHomesToOthers()
    }

    @Test func whatIsLeftWaitsAndNothingIsOpened() async throws {
        bench.channel.refuseConversations(.scriptedLoss)
        try await bench.invoker.whileRunning {
            let record = try await leave()
            #expect(record.state == .queued)
            #expect(record.progress.step == 1)
            #expect(record.progress.message.isEmpty)
            #expect(try await bench.log(of: record.id) == [.created])
        }
        #expect(bench.channel.observedScopes.isEmpty)
        #expect(await bench.invoker.counters == InvokerCounters())
    }

    @Test func whatIsLeftMayWaitAsLongAsThePolicyOfItsDevice() async throws {
        try await bench.invoker.whileRunning {
            let usual = try await leave()
            #expect(usual.intent.expiresAt.since(usual.intent.issuedAt) == .seconds(30))
            let setting = try await leave(.setSuctionLevel(.turbo))
            #expect(setting.intent.expiresAt.since(setting.intent.issuedAt) == .seconds(86_400))
            let limited = try await leave(
                .setSuctionLevel(.quiet), options: CommandOptions(lifetime: .seconds(5)))
            #expect(limited.intent.expiresAt.since(limited.intent.issuedAt) == .seconds(5))
        }
    }

    @Test func theOwnerTakesItOverAndSendsIt() async throws {
        let there = try InvokerBench(ledger: owner, clock: bench.clock)
        try await bench.invoker.whileRunning {
            let record = try await leave()
            try await there.invoker.whileRunning {
                let resumed = try await there.resume(knowing: there.robot())
                #expect(resumed == [record.id])
                #expect(await there.nextSend()?.command == record.prepared)
            }
        }
    }

    @Test func whoLeftItHearsOfItsEnd() async throws {
        try await bench.invoker.whileRunning {
            let record = try await leave()
            async let end = bench.invoker.outcome(of: record.id, goal: .accepted)
            await bench.advanceToDeadline(within: .milliseconds(20))
            #expect(await bench.clock.sleeper(within: .milliseconds(40)) == .milliseconds(40))
            try await advance(record, to: .succeeded)
            await bench.advanceToDeadline(within: .milliseconds(40))
            let result = try await end
            #expect(result.isReached)
            #expect(result.record.state == .succeeded)
        }
    }

    @Test func itsStreamTellsWhatTheOwnerWrites() async throws {
        try await bench.invoker.whileRunning {
            let record = try await leave()
            var states: [CommandState] = []
            for await change in bench.invoker.changes(of: record.id) {
                states.append(change.state)
                if change.state == .queued { try await advance(change, to: .accepted) }
                if change.state == .accepted { try await advance(change, to: .succeeded) }
                if !change.state.isFinal { await bench.advanceToDeadline(within: .seconds(1)) }
            }
            #expect(states == [.queued, .accepted, .succeeded])
        }
    }

    @Test func aWaitHasItsLimit() async throws {
        try await bench.invoker.whileRunning {
            let record = try await leave()
            async let end = bench.invoker.outcome(of: record.id, within: .milliseconds(20))
            await bench.advanceToDeadline(within: .milliseconds(20))
            let result = try await end
            #expect(!result.isReached)
            #expect(result.record.state == .queued)
        }
    }

    /// The owner has died, and nobody has taken the home.
    @Test func aWaitForWhatNobodySendsEnds() async throws {
        try await bench.invoker.whileRunning {
            let record = try await leave()
            async let end = bench.invoker.outcome(of: record.id)
            var waited = Duration.zero
            while waited < .seconds(34) {
                let next = await bench.clock.sleeper(within: .seconds(1))
                waited += next
                bench.clock.advance(by: next)
            }
            #expect(try await bench.ledger.record(of: record.id)?.state == .queued)
            await bench.advanceToDeadline(within: .seconds(1))
            await bench.advanceToDeadline(within: .seconds(1))
            #expect(try await !end.isReached)
        }
    }

    @Test func aCommandThatContradictsWhatIsUnderWayHoldsItBack() async throws {
        let there = try InvokerBench(ledger: owner, clock: bench.clock)
        there.channel.answer(.hold)
        try await bench.invoker.whileRunning {
            try await there.invoker.whileRunning {
                let cleaning = try await there.submit(.startCleaning())
                _ = await there.nextSend()
                let stop = try await leave(.stop)
                try await there.resume(knowing: there.robot())
                #expect(await there.nextSend()?.id == stop.id)
                there.channel.answerHeld(
                    .failure(
                        CommunicationError(.notConnected, "no link", certainty: .neverLeft)))
                #expect(await there.recorded(.superseded)?.id == cleaning.id)
            }
        }
    }

    // MARK: Parts

    private func leave(
        _ command: CommandRequest<SweepingRobot> = .locate,
        options: CommandOptions = CommandOptions()
    ) async throws -> CommandRecord {
        let orders = [try bench.order(command, options: options)]
        return try #require(try await bench.invoker.leave(orders).first)
    }

    /// What the owner writes down.
    private func advance(_ record: CommandRecord, to state: CommandState) async throws {
        let latest = try #require(try await owner.record(of: record.id))
        var progress = latest.progress
        progress.step += 1
        progress.state = state
        _ = try await owner.advance([
            CommandChange(of: record.id, after: latest.progress.step, to: progress, because: [])
        ])
    }
}
