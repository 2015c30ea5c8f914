import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct CommandInvokerTests {
    private let bench: InvokerBench

    init() throws { bench = try InvokerBench() }

    @Test func aCommandIsInTheLedgerBeforeItIsOnTheWire() async throws {
        bench.channel.answer(.hold)
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            let send = try #require(await bench.nextSend())
            #expect(send.id == record.id)
            #expect(send.attempt == 1)
            #expect(try await bench.ledger.record(of: record.id)?.state == .sending)
            let message = try CommandMessage(payload: send.command.payload)
            #expect(message.sequence == record.prepared.sequence)
            #expect(message.expiresAt == message.issuedAt.advanced(by: .seconds(30)))
            bench.channel.answerHeld(.success(.confirmed))
        }
    }

    @Test func aWaitEndsWithTheFinalAck() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            async let waiting = bench.invoker.outcome(of: record.id)
            let send = try #require(await bench.nextSend())
            bench.ack(.accepted, of: send.id)
            bench.ack(.succeeded, of: send.id, n: 2, result: ["x": 1])
            let end = try await waiting
            #expect(end.isReached)
            #expect(end.record.outcome == .succeeded)
            #expect(end.record.progress.result == ["x": 1])
            #expect(try await bench.ledger.record(of: record.id) == end.record)
            #expect(
                try await bench.log(of: record.id)
                    == [.created, .sent, .receipt, .evidence, .evidence])
        }
    }

    @Test func everyWaiterIsResumedOnce() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            async let accepted = bench.invoker.outcome(of: record.id, goal: .accepted)
            async let final = bench.invoker.outcome(of: record.id, goal: .final)
            async let observed = bench.invoker.outcome(of: record.id, goal: .observed)
            bench.ack(.accepted, of: record.id)
            bench.ack(.succeeded, of: record.id, n: 2, revision: 6)
            bench.ack(.succeeded, of: record.id, n: 2, revision: 6)
            bench.state(revision: 6)
            #expect(try await accepted.isReached)
            #expect(try await final.record.state == .succeeded)
            #expect(try await observed.isReached)
            let late = try await bench.invoker.outcome(of: record.id, goal: .observed)
            #expect(late.isReached)
        }
    }

    @Test func anEffectThatWasSeenBeforeTheCommandCounts() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(for: bench.robot(revision: 9))
            bench.ack(.succeeded, of: record.id, revision: 9)
            let end = try await bench.invoker.outcome(of: record.id, goal: .observed)
            #expect(end.isReached)
        }
    }

    /// Its acknowledgement has the revision from before, which was seen already.
    @Test func aDryRunEndsWithoutAnEffect() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(
                for: bench.robot(revision: 6), options: CommandOptions(isDryRun: true))
            async let observed = bench.invoker.outcome(of: record.id, goal: .observed)
            bench.ack(.succeeded, of: record.id, revision: 6)
            bench.state(revision: 7)
            let end = try await observed
            #expect(end.isReached)
            #expect(end.record.state == .succeeded)
            #expect(end.record.progress.timings.observedAt == nil)
            #expect(try await !bench.log(of: record.id).contains(.observed))
        }
    }

    @Test func aWaitThatTakesTooLongEndsAndTheCommandGoesOn() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            await bench.recorded(.sent)
            async let waiting = bench.invoker.outcome(of: record.id, within: .milliseconds(500))
            await bench.advanceToDeadline(within: .milliseconds(500))
            let end = try await waiting
            #expect(!end.isReached)
            #expect(end.record.state == .sent)
            bench.ack(.succeeded, of: record.id)
            #expect(try await bench.invoker.outcome(of: record.id).isReached)
        }
    }

    @Test func cancellingAWaitLeavesEverythingUsable() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            await withTaskGroup(of: ControlError?.self) { group in
                group.addTask {
                    do throws(ControlError) {
                        _ = try await bench.invoker.outcome(of: record.id)
                        return nil
                    } catch {
                        return error
                    }
                }
                group.cancelAll()
                for await error in group { #expect(error?.code == .cancelled) }
            }
            bench.ack(.succeeded, of: record.id)
            #expect(try await bench.invoker.outcome(of: record.id).record.state == .succeeded)
        }
    }

    @Test func aSilentDeviceGetsTheSameBytesAgainUntilTheOutcomeIsUnknown() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            async let waiting = bench.invoker.outcome(of: record.id)
            let first = try #require(await bench.nextSend())
            await bench.recorded(.sent)
            for (attempt, seconds) in [1.2, 2.4, 4.8, 9.6].enumerated() {
                await bench.advanceToDeadline(within: .seconds(seconds))
                let again = try #require(await bench.nextSend())
                #expect(again.command.payload == first.command.payload)
                #expect(again.attempt == attempt + 2)
            }
            bench.clock.advance(by: .seconds(30))
            let end = try await waiting
            #expect(end.record.outcome == .unknown)
            #expect(end.record.progress.sends == 5)
            bench.ack(.succeeded, of: record.id)
            await bench.recorded(.succeeded)
            #expect(try await bench.invoker.outcome(of: record.id).record.state == .succeeded)
        }
    }

    @Test func aForbiddenCommandIsRefused() async throws {
        bench.channel.answer(.receipt(.refused(.forbidden, "the broker does not allow it")))
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            let end = try await bench.invoker.outcome(of: record.id)
            #expect(end.record.outcome == .refused)
            #expect(end.record.progress.code == .forbidden)
        }
    }

    @Test func withoutAReceiverItWaitsAndIsSentAgain() async throws {
        bench.channel.answer(.receipt(.noReceiver), .receipt(.confirmed))
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            _ = await bench.nextSend()
            await bench.recorded(.sending)
            await bench.recorded(.queued)
            await bench.advanceToDeadline(within: .seconds(1.2))
            #expect(await bench.nextSend()?.id == record.id)
            await bench.recorded(.sent)
        }
    }

    @Test func aFailFastCommandForAnOfflineDeviceIsRecordedAndRefused() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(for: bench.robot(.offline))
            #expect(record.state == .refused)
            #expect(try await bench.ledger.record(of: record.id)?.state == .refused)
            #expect(try await bench.invoker.outcome(of: record.id).isReached)
        }
    }

    @Test func aWaitingCommandIsSentWhenPresenceShowsTheDeviceOnline() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(.startCleaning(), for: bench.robot(.offline))
            #expect(record.state == .queued)
            let lifetime = record.intent.expiresAt.since(record.intent.issuedAt)
            #expect(lifetime == .seconds(600), "the policy's time")
            bench.presence(.online)
            #expect(await bench.nextSend()?.id == record.id)
            bench.ack(.accepted, of: record.id)
            let end = try await bench.invoker.outcome(of: record.id, goal: .accepted)
            #expect(end.record.state == .accepted)
        }
    }

    @Test(arguments: [Duration.seconds(600), .seconds(-600)])
    func aWaitingCommandExpiresInItsTimeWhateverTheWallClockDoes(_ step: Duration) async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(
                .startCleaning(), for: bench.robot(.offline),
                options: CommandOptions(lifetime: .seconds(2)))
            async let waiting = bench.invoker.outcome(of: record.id)
            bench.clock.stepWall(by: step)
            #expect(await bench.clock.sleeper(within: .seconds(2)) == .seconds(2))
            bench.clock.advance(by: .seconds(2))
            let end = try await waiting
            #expect(end.record.outcome == .expired)
            #expect(end.record.progress.sends == 0)
        }
    }

    @Test func aLinkThatBreaksInFlightIsRepairedAndTheBytesAreSentAgain() async throws {
        bench.channel.answer(.hold)
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            let first = try #require(await bench.nextSend())
            bench.channel.loseLink()
            let waiting = try #require(await bench.recorded(.queued, mayHaveLeft: true))
            #expect(waiting.id == record.id)
            bench.channel.restoreLink()
            let again = try #require(await bench.nextSend())
            #expect(again.command.payload == first.command.payload)
            bench.ack(.succeeded, of: record.id)
            #expect(try await bench.invoker.outcome(of: record.id).record.state == .succeeded)
        }
    }

    @Test func withoutALinkTheCommandWaitsInTheLedger() async throws {
        let bench = try InvokerBench(connected: false)
        try await bench.invoker.whileRunning {
            let record = try await bench.submit(.startCleaning())
            #expect(record.state == .queued)
            bench.channel.restoreLink()
            await bench.advanceToDeadline(within: .seconds(1.2))
            #expect(await bench.nextSend()?.id == record.id)
        }
    }

    @Test func whenTheLedgerFailsNothingIsSent() async throws {
        bench.ledger.failNextAccept(LedgerError(.full, "there is no room left"))
        try await bench.invoker.whileRunning {
            let robot = try bench.robot()
            let error = await #expect(throws: ControlError.self) {
                try await bench.submit(for: robot)
            }
            #expect(error?.code == .ledger)
            #expect(error?.ledgerError?.code == .full)
            let next = try await bench.submit(for: robot)
            #expect(await bench.nextSend()?.id == next.id, "the first one was not sent")
        }
    }

    @Test func whatTheLedgerDoesNotTakeIsNotSentUntilItDoes() async throws {
        try await bench.invoker.whileRunning {
            let robot = try bench.robot(.offline)
            let record = try await bench.submit(.startCleaning(), for: robot)
            #expect(record.state == .queued)
            bench.ledger.failNextAdvance(LedgerError(.full, "there is no room left"))
            bench.presence(.online)
            await bench.advanceToDeadline(within: .seconds(1.2))
            bench.clock.advance(by: .seconds(1.2))
            #expect(await bench.nextSend()?.attempt == 1)
            #expect(await bench.invoker.counters.ledgerFailures == 1)
        }
    }

    @Test func lifetimesOutsideTheProtocolAreRefusedBeforeAnythingIsRecorded() async throws {
        try await bench.invoker.whileRunning {
            let robot = try bench.robot()
            for lifetime in [Duration.zero, .seconds(-1), .seconds(86_401)] {
                let error = await #expect(throws: ControlError.self) {
                    try await bench.submit(
                        for: robot, options: CommandOptions(lifetime: lifetime))
                }
                #expect(error?.code == .badLifetime)
            }
            #expect(try await bench.ledger.history(HistoryQuery()).isEmpty)
        }
    }

    @Test func commandsOfOneDeviceKeepTheirOrder() async throws {
        try await bench.invoker.whileRunning {
            let robot = try bench.robot()
            var ids: [CommandID] = []
            for _ in 0..<20 {
                ids.append(try await bench.submit(for: robot).id)
            }
            var sent: [CommandID] = []
            while sent.count < 20, let send = await bench.nextSend() { sent.append(send.id) }
            #expect(sent == ids)
        }
    }
}
