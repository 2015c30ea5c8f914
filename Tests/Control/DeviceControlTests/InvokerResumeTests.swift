import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Synchronization
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
            let resumed = try await bench.resume(knowing: bench.robot())
            #expect(resumed.isEmpty)
        }
    }

    @Test(arguments: [CommandState.sending, .sent, .accepted, .running])
    func whatMayHaveLeftIsAskedForAndNeverSentBlindly(_ state: CommandState) async throws {
        let id = try await leave(state)
        dead.die()
        bench.channel.answerQuestions(
            about: id, .known(bench.evidence(.succeeded, of: id, n: 2)))
        try await bench.invoker.whileRunning {
            #expect(try await bench.resume(knowing: bench.robot()) == [id])
            #expect(await bench.nextQuestion() == [id])
            let end = try await bench.invoker.outcome(of: id)
            #expect(end.record.state == .succeeded)
            #expect(end.record.progress.sends == 0, "it was not sent")
            #expect(try await bench.log(of: id).contains(.adopted))
        }
    }

    @Test func aProcessThatWantsToEndWaitsForTheAnswer() async throws {
        let id = try await leave(.accepted)
        dead.die()
        bench.channel.holdQuestions()
        try await bench.invoker.whileRunning {
            try await bench.resume(knowing: bench.robot())
            async let quiet = bench.invoker.outcome(of: id, goal: .noAnswerDue)
            #expect(await bench.nextQuestion() == [id])
            let final = bench.evidence(.succeeded, of: id, n: 2)
            bench.channel.answerHeldQuestions(.success([id: .known(final)]))
            #expect(try await quiet.record.state == .succeeded)
        }
    }

    @Test func nothingIsDueFromADeviceThatIsAway() async throws {
        let id = try await leave(.sent)
        dead.die()
        try await bench.invoker.whileRunning {
            try await bench.resume(knowing: bench.robot(.offline))
            let end = try await bench.invoker.outcome(of: id, goal: .noAnswerDue)
            #expect(end.isReached)
            #expect(!end.record.state.isSettled)
        }
    }

    @Test func whatNeverLeftIsSentWithItsBytes() async throws {
        let id = try await leave(.queued)
        dead.die()
        try await bench.invoker.whileRunning {
            try await bench.resume(knowing: bench.robot())
            let send = try #require(await bench.nextSend())
            #expect(send.id == id)
            #expect(send.command == (try await bench.ledger.record(of: id))?.prepared)
        }
    }

    @Test func whatNeverLeftIsSentInItsOrder() async throws {
        var ids: [CommandID] = []
        for _ in 0..<10 { ids.append(try await leave(.queued)) }
        dead.die()
        try await bench.invoker.whileRunning {
            try await bench.resume(knowing: bench.robot())
            var sent: [CommandID] = []
            while sent.count < 10, let send = await bench.nextSend() { sent.append(send.id) }
            #expect(sent == ids)
        }
    }

    @Test func commandsAreReadSomeAtATime() async throws {
        var ids: [CommandID] = []
        for _ in 0..<10 { ids.append(try await leave(.queued)) }
        dead.die()
        let robot = try bench.robot()
        let reads = Mutex(0)
        try await bench.invoker.whileRunning {
            let resumed = try await bench.invoker.resume(in: bench.home, readingAtOnce: 3) { _ in
                reads.withLock { $0 += 1 }
                return [robot.id: LocatedDevice(device: robot)]
            }
            #expect(resumed == ids)
            #expect(reads.withLock { $0 } == 4)
            var sent: [CommandID] = []
            while sent.count < 10, let send = await bench.nextSend() { sent.append(send.id) }
            #expect(sent == ids)
        }
    }

    @Test func whatCouldNotBeReadIsFollowedLater() async throws {
        let ids = [try await leave(.queued), try await leave(.queued)]
        dead.die()
        try await bench.invoker.whileRunning {
            bench.ledger.failNextRead(LedgerError(.failed, "the disk is gone"))
            await #expect(throws: ControlError.self) {
                try await bench.resume(knowing: bench.robot(), readingAtOnce: 1)
            }
            let resumed = try await bench.resume(knowing: bench.robot(), readingAtOnce: 1)
            #expect(resumed.isEmpty)
            #expect(await bench.nextSend()?.id == ids[0])
            #expect(await bench.nextSend()?.id == ids[1])
        }
    }

    /// It is over when its turn to be read comes.
    @Test func whatIsWithdrawnMeanwhileIsNotFollowed() async throws {
        let ids = [try await leave(.queued), try await leave(.queued)]
        dead.die()
        let other = bench.ledger.anotherProcess()
        let robot = try bench.robot()
        try await bench.invoker.whileRunning {
            _ = try await bench.invoker.resume(in: bench.home, readingAtOnce: 1) { _ in
                _ = try? await other.withdraw(ids[1])
                return [robot.id: LocatedDevice(device: robot)]
            }
            #expect(await bench.nextSend()?.id == ids[0])
            #expect(try await bench.invoker.record(of: ids[1])?.state == .cancelled)
        }
    }

    @Test func whatNeverLeftWaitsForADeviceOfWhichNothingIsHeard() async throws {
        let id = try await leave(.queued)
        dead.die()
        try await bench.invoker.whileRunning {
            try await bench.resume(knowing: nil)
            #expect(try await bench.invoker.record(of: id)?.state == .queued)
            bench.presence(.online)
            #expect(await bench.nextSend()?.id == id)
        }
    }

    @Test func whatExpiredMeanwhileIsExpired() async throws {
        let id = try await leave(.queued)
        dead.die()
        bench.clock.advance(by: .seconds(31))
        try await bench.invoker.whileRunning {
            try await bench.resume(knowing: bench.robot())
            #expect(try await bench.invoker.outcome(of: id).record.outcome == .expired)
        }
    }

    @Test func answersNeverAndForgottenAreUnderstood() async throws {
        let never = try await leave(.sent)
        let forgotten = try await leave(.sent)
        dead.die()
        bench.channel.answerQuestions(about: never, .never)
        bench.channel.answerQuestions(about: forgotten, .forgotten)
        try await bench.invoker.whileRunning {
            try await bench.resume(knowing: bench.robot())
            #expect(try await bench.invoker.outcome(of: never).record.outcome == .refused)
            #expect(try await bench.invoker.outcome(of: forgotten).record.outcome == .unknown)
        }
    }

    @Test func whatTheAnswerLeavesOutIsAskedForAgainAHundredAtATime() async throws {
        var open: Set<CommandID> = []
        for _ in 0..<130 { open.insert(try await leave(.sent)) }
        dead.die()
        bench.channel.holdQuestions()
        try await bench.invoker.whileRunning {
            let ids = try await bench.resume(knowing: bench.robot())
            #expect(ids.count == 130)
            while !open.isEmpty {
                let asked = try #require(await bench.nextQuestion())
                #expect((1...100).contains(asked.count))
                let answered = asked.prefix(60)
                open.subtract(answered)
                bench.channel.answerHeldQuestions(
                    .success(Dictionary(answered.map { ($0, .forgotten) }) { first, _ in first }))
            }
            for id in ids {
                #expect(try await bench.invoker.outcome(of: id).record.outcome == .unknown)
            }
        }
    }

    @Test func withoutAskingWhatMayHaveLeftIsUnknown() async throws {
        let dead = InMemoryCommandLedger()
        let bench = try InvokerBench(
            traits: .all(but: .asking), ledger: dead.anotherProcess())
        let id = try await leave(.sending, in: dead)
        dead.die()
        try await bench.invoker.whileRunning {
            try await bench.resume(knowing: bench.robot())
            #expect(try await bench.invoker.outcome(of: id).record.outcome == .unknown)
        }
    }

    @Test func aCommandOfAChannelThatIsNotSetUpStaysOpenAndSaysSo() async throws {
        let id = try await leave(.queued, channel: try ChannelID("elsewhere"))
        let mine = try await leave(.queued)
        dead.die()
        try await bench.invoker.whileRunning {
            try await bench.resume(knowing: bench.robot())
            #expect(await bench.nextSend()?.id == mine, "it holds nobody")
            let record = try #require(try await bench.ledger.record(of: id))
            #expect(record.state == .queued)
            #expect(record.progress.message.contains("channel elsewhere, which is not set up"))
        }
    }

    /// An action whose outcome was unknown goes on, but this process did not see the link come up.
    @Test func aSilentActionOfAnEarlierProcessIsAskedAbout() async throws {
        let id = try await leave(.unknown)
        dead.die()
        try await bench.invoker.whileRunning {
            _ = try await bench.submit(.stop)
            bench.ack(.accepted, of: id)
            await bench.recorded(.accepted)
            bench.clock.advance(by: .seconds(61))
            #expect(await bench.nextQuestion() == [id])
        }
    }

    @Test func withoutRunItIsRefused() async throws {
        let error = await #expect(throws: ControlError.self) {
            try await bench.resume(knowing: nil)
        }
        #expect(error?.code == .notRunning)
    }

    /// Leaves a command behind in a state.
    private func leave(
        _ state: CommandState, in ledger: InMemoryCommandLedger? = nil, channel: ChannelID? = nil
    ) async throws -> CommandID {
        let intent = try LifecycleBench().lifecycle.intent
        var progress = CommandProgress(
            step: 1, state: state, timings: CommandTimings(createdAt: intent.issuedAt))
        progress.mayHaveLeft = state != .queued && state != .sending
        if state == .accepted || state == .running {
            progress.lastAck = 1
            progress.boot = bench.boot
        }
        return try await (ledger ?? dead).accept(
            intent, opening: progress, channel: channel ?? bench.channel.id
        ).id
    }
}
