import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// A new process after the death of one.
@Suite(.timeLimit(.minutes(1))) struct InvokerResumeTests {
    private let dead: InMemoryCommandLedger
    private let bench: InvokerBench

    init() throws {
        dead = InMemoryCommandLedger()
        bench = try InvokerBench(ledger: dead.anotherProcess())
    }

    @Test func commandsOfLivingProcessesAreLeftAlone() async throws {
        _ = try await leave(.sent)
        try await bench.invoker.whileRunning {
            let resumed = try await bench.invoker.resume(in: bench.home)
            #expect(resumed.isEmpty)
        }
    }

    @Test(arguments: [CommandState.sending, .sent, .accepted, .running])
    func whatMayHaveLeftIsAskedForAndNeverSentBlindly(_ state: CommandState) async throws {
        let id = try await leave(state)
        dead.die()
        bench.presence(.online)
        try await bench.invoker.whileRunning {
            #expect(try await bench.invoker.resume(in: bench.home) == [id])
            let query = try #require(await bench.nextSend())
            #expect(try CommandMessage(payload: query.payload).name == .queryCommands)
            #expect(try bench.questioned(query) == [id.text])
            bench.answer(query, [try bench.makeAck(.succeeded, of: id, n: 2).entry()])
            #expect(try await bench.invoker.outcome(of: id).record.state == .succeeded)
        }
    }

    @Test func aProcessThatWantsToEndWaitsForTheAnswer() async throws {
        let id = try await leave(.accepted)
        dead.die()
        bench.presence(.online)
        try await bench.invoker.whileRunning {
            try await bench.invoker.resume(in: bench.home)
            async let quiet = bench.invoker.outcome(of: id, goal: .noAnswerDue)
            let query = try #require(await bench.nextSend())
            bench.answer(query, [try bench.makeAck(.succeeded, of: id, n: 2).entry()])
            #expect(try await quiet.record.state == .succeeded)
        }
    }

    @Test func nothingIsDueFromADeviceThatIsAway() async throws {
        let id = try await leave(.sent)
        dead.die()
        bench.presence(.offline)
        try await bench.invoker.whileRunning {
            try await bench.invoker.resume(in: bench.home)
            let end = try await bench.invoker.outcome(of: id, goal: .noAnswerDue)
            #expect(end.isReached)
            #expect(!end.record.state.isSettled)
        }
    }

    @Test func whatNeverLeftIsSent() async throws {
        let id = try await leave(.queued)
        dead.die()
        bench.presence(.online)
        try await bench.invoker.whileRunning {
            try await bench.invoker.resume(in: bench.home)
            let send = try #require(await bench.nextSend())
            #expect(send.id == id)
            let stored = try await bench.ledger.record(of: id)
            #expect(send.payload == stored?.payload)
        }
    }

    @Test func whatNeverLeftWaitsForADeviceOfWhichNothingIsHeard() async throws {
        let id = try await leave(.queued)
        dead.die()
        try await bench.invoker.whileRunning {
            try await bench.invoker.resume(in: bench.home)
            bench.presence(.online)
            #expect(await bench.nextSend()?.id == id)
        }
    }

    @Test func whatExpiredMeanwhileIsExpired() async throws {
        let id = try await leave(.queued)
        dead.die()
        bench.clock.advance(by: .seconds(31))
        bench.presence(.online)
        try await bench.invoker.whileRunning {
            try await bench.invoker.resume(in: bench.home)
            #expect(try await bench.invoker.outcome(of: id).record.outcome == .expired)
        }
    }

    @Test func answersNeverAndForgottenAreUnderstood() async throws {
        let never = try await leave(.sent)
        let forgotten = try await leave(.sent)
        dead.die()
        bench.presence(.online)
        try await bench.invoker.whileRunning {
            try await bench.invoker.resume(in: bench.home)
            var open: Set = [never.text, forgotten.text]
            while !open.isEmpty {
                let query = try #require(await bench.nextSend())
                let ids = try bench.questioned(query)
                open.subtract(ids)
                bench.answer(
                    query,
                    ids.map {
                        ["id": .string($0), "outcome": $0 == never.text ? "never" : "forgotten"]
                    })
            }
            #expect(try await bench.invoker.outcome(of: never).record.outcome == .refused)
            #expect(try await bench.invoker.outcome(of: forgotten).record.outcome == .unknown)
        }
    }

    @Test func whatTheAnswerLeavesOutIsAskedForAgain() async throws {
        var open: Set<String> = []
        for _ in 0..<130 { open.insert(try await leave(.sent).text) }
        dead.die()
        bench.presence(.online)
        try await bench.invoker.whileRunning {
            let ids = try await bench.invoker.resume(in: bench.home)
            #expect(ids.count == 130)
            while !open.isEmpty {
                let query = try #require(await bench.nextSend())
                let asked = try bench.questioned(query)
                #expect((1...100).contains(asked.count))
                let answered = asked.prefix(60)
                open.subtract(answered)
                bench.answer(
                    query, answered.map { ["id": .string($0), "outcome": "forgotten"] })
            }
            for id in ids {
                #expect(try await bench.invoker.outcome(of: id).record.outcome == .unknown)
            }
        }
    }

    @Test func theQuestionsOfADeadProcessAreGivenUp() async throws {
        let question = try await leave(.sent, purpose: .inquiry)
        dead.die()
        try await bench.invoker.whileRunning {
            let resumed = try await bench.invoker.resume(in: bench.home)
            #expect(resumed.isEmpty)
            #expect(try await bench.ledger.record(of: question)?.state == .unknown)
        }
    }

    /// Leaves a command behind in a state.
    private func leave(_ state: CommandState, purpose: CommandIntent.Purpose = .request)
        async throws -> CommandID
    {
        var intent = try LifecycleBench().lifecycle.intent
        intent.purpose = purpose
        var progress = CommandProgress(
            step: 1, state: state, timings: CommandTimings(createdAt: intent.issuedAt))
        progress.mayHaveLeft = state != .queued && state != .sending
        if state == .accepted || state == .running {
            progress.lastAck = 1
            progress.boot = bench.boot
        }
        return try await dead.accept(intent, opening: progress).id
    }
}
