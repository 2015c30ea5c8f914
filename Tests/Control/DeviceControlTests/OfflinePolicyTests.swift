import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import TestSupport
import Testing

/// What waits for an offline device, and what later commands make of it.
@Suite(.timeLimit(.minutes(1))) struct OfflinePolicyTests {
    private let bench: InvokerBench

    init() throws { bench = try InvokerBench() }

    @Test func aStopEndsTheStartThatWaits() async throws {
        try await bench.invoker.whileRunning {
            let start = try await submitOffline(.startCleaning())
            async let waiting = bench.invoker.outcome(of: start.id)
            let stop = try await submitOffline(.stop)
            #expect(try await waiting.record.outcome == .superseded)
            #expect(stop.state == .queued)
            bench.presence(.online)
            let sent = try #require(await bench.nextSend())
            #expect(sent.id == stop.id)
            bench.succeed(sent.id)
            #expect(try await bench.invoker.outcome(of: stop.id).record.state == .succeeded)
            let next = try await bench.submit(.locate)
            #expect(await bench.nextSend()?.id == next.id, "the start was not sent in between")
        }
    }

    @Test func aNewerSettingTakesThePlaceOfAnOlderOne() async throws {
        try await bench.invoker.whileRunning {
            let first = try await submitOffline(.setSuctionLevel(.quiet))
            let second = try await submitOffline(.setSuctionLevel(.max))
            #expect(try await bench.invoker.outcome(of: first.id).record.state == .superseded)
            bench.presence(.online)
            #expect(await bench.nextSend()?.id == second.id)
        }
    }

    @Test func settingsOfOneBatchTakeEachOthersPlace() async throws {
        try await bench.invoker.whileRunning {
            let records = try await bench.invoker.submit([
                bench.order(.setSuctionLevel(.quiet), for: bench.robot(.offline)),
                bench.order(.setSuctionLevel(.max), for: bench.robot(.offline)),
            ])
            #expect(records.map(\.state) == [.superseded, .queued])
        }
    }

    @Test func aDryRunTakesNoPlace() async throws {
        try await bench.invoker.whileRunning {
            let start = try await submitOffline(.startCleaning())
            _ = try await submitOffline(.stop, options: CommandOptions(isDryRun: true))
            #expect(try await bench.invoker.record(of: start.id)?.state == .queued)
        }
    }

    @Test func anotherProcessesStopIsNoticedWhileTheStartWaits() async throws {
        let other = try InvokerBench(
            ledger: bench.ledger.anotherProcess(), clock: bench.clock, seed: 8)
        try await bench.invoker.whileRunning {
            let start = try await submitOffline(.startCleaning())
            try await other.invoker.whileRunning {
                _ = try await other.submit(.stop, for: other.robot(.offline))
            }
            async let waiting = bench.invoker.outcome(of: start.id)
            await bench.advanceToDeadline(within: .seconds(5))
            #expect(try await waiting.record.outcome == .superseded)
        }
    }

    @Test func whatAnotherProcessWithdrewIsNotSentEvenIfItWasNotNoticed() async throws {
        let other = bench.ledger.anotherProcess()
        try await bench.invoker.whileRunning {
            let start = try await submitOffline(.startCleaning())
            #expect(try await other.withdraw(start.id)?.state == .cancelled)
            bench.presence(.online)
            #expect(try await bench.invoker.outcome(of: start.id).record.state == .cancelled)
            let next = try await bench.submit(.returnToDock)
            #expect(await bench.nextSend()?.id == next.id)
        }
    }

    @Test func whatADeviceSaysHoldsForTheProgressOfAFasterProcess() async throws {
        let other = bench.ledger.anotherProcess()
        try await bench.invoker.whileRunning {
            let first = try await bench.submit()
            bench.ack(.succeeded, of: first.id)
            await bench.recorded(.succeeded)
            bench.channel.loseLink(CommunicationError(.unreachable, "the broker is gone"))
            let start = try await bench.submit(.startCleaning())
            #expect(await bench.recorded(message: "the broker is gone")?.id == start.id)
            _ = try await other.withdraw(start.id)
            bench.ack(.succeeded, of: start.id)
            let next = try await bench.submit(.returnToDock)
            bench.ack(.succeeded, of: next.id)
            _ = try await bench.invoker.outcome(of: next.id)
            #expect(try await bench.ledger.record(of: start.id)?.state == .cancelled)
            #expect(bench.anomalies == ["contradictory-final"])
        }
    }

    @Test func whatIsTakenBackStaysSoWhereTheLedgerLacksAChange() async throws {
        try await bench.invoker.whileRunning {
            let first = try await bench.submit()
            _ = await bench.nextSend()
            bench.ack(.succeeded, of: first.id)
            await bench.recorded(.succeeded)
            bench.channel.loseLink(CommunicationError(.unreachable, "the broker is gone"))
            let start = try await bench.submit(.startCleaning())
            #expect(await bench.recorded(message: "the broker is gone")?.id == start.id)
            bench.ledger.failNextAdvance(LedgerError(.full, "there is no room left"))
            bench.channel.loseLink(CommunicationError(.timedOut, "the broker is silent"))
            let retry = await bench.clock.sleeper(within: .seconds(1))
            #expect(try await bench.invoker.withdraw(start.id).state == .cancelled)
            bench.clock.advance(by: retry)
            #expect(try await bench.invoker.outcome(of: start.id).record.state == .cancelled)
            #expect(try await bench.ledger.record(of: start.id)?.state == .cancelled)
        }
    }

    @Test func aWaitingCommandIsTakenBack() async throws {
        try await bench.invoker.whileRunning {
            let start = try await submitOffline(.startCleaning())
            let end = try await bench.invoker.withdraw(start.id)
            #expect(end.state == .cancelled)
            #expect(end.progress.code == .cancelled)
            #expect(try await bench.invoker.outcome(of: start.id).record.state == .cancelled)
        }
    }

    @Test func whatHasLeftIsNotTakenBack() async throws {
        try await bench.invoker.whileRunning {
            let record = try await bench.submit()
            await bench.recorded(.sent)
            #expect(try await bench.invoker.withdraw(record.id).state == .sent)
            var generator = SeededGenerator(seed: 1)
            let unknown = CommandID(at: bench.clock.now.wall, using: &generator)
            let error = await #expect(throws: ControlError.self) {
                try await bench.invoker.withdraw(unknown)
            }
            #expect(error?.code == .unknownID)
        }
    }

    @Test func aStartThatWasSentIsNotSentAgainAfterAStop() async throws {
        try await bench.invoker.whileRunning {
            let start = try await bench.submit(.startCleaning())
            _ = await bench.nextSend()
            await bench.recorded(.sent)
            let stop = try await bench.submit(.stop)
            let sent = try #require(await bench.nextSend())
            #expect(sent.id == stop.id)
            bench.succeed(sent.id)
            bench.channel.answerQuestions(about: start.id, .never)
            await bench.advanceToDeadline(within: .seconds(1.2))
            #expect(try await bench.invoker.outcome(of: start.id).record.state == .superseded)
        }
    }

    @Test func aDeviceThatHasChangedMeanwhileIsNotSentWhatItWouldRefuse() async throws {
        try await bench.invoker.whileRunning {
            let start = try await submitOffline(.startCleaning())
            let pool = try DeviceFactory.standard.makeDevice(
                model: DeviceModel(rawValue: "pool-p1"), id: bench.device, home: bench.home)
            bench.say(.description(pool.profile))
            bench.presence(.online)
            let end = try await bench.invoker.outcome(of: start.id).record
            #expect(end.state == .refused)
            #expect(end.progress.code == .unknownCommand)
            #expect(end.progress.message.contains("has changed"))
        }
    }

    @Test func tooManyWaitingCommandsAreAnError() async throws {
        try await bench.invoker.whileRunning {
            let robot = try bench.robot(.offline)
            let order = try bench.order(.startCleaning(), for: robot)
            try await bench.invoker.submit(Array(repeating: order, count: 10_000))
            let error = await #expect(throws: ControlError.self) {
                try await bench.invoker.submit(order)
            }
            #expect(error?.code == .queueFull)
            #expect(error?.message.contains("10000 commands wait for robot-1") == true)
        }
    }

    private func submitOffline(
        _ command: CommandRequest<SweepingRobot>, options: CommandOptions = .init()
    ) async throws -> CommandRecord {
        try await bench.submit(command, for: bench.robot(.offline), options: options)
    }
}

extension InvokerBench {
    /// The device says that it has done a command.
    fileprivate func succeed(_ id: CommandID) {
        ack(.accepted, of: id)
        ack(.succeeded, of: id, n: 2)
    }
}
