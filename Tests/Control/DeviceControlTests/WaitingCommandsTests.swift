import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Testing

/// Commands that wait for a device that is away. They are in the ledger alone until the device returns, or
/// until somebody waits for them.
@Suite(.timeLimit(.minutes(1))) struct WaitingCommandsTests {
    private let bench: InvokerBench

    init() throws { bench = try InvokerBench() }

    @Test func whatWaitedIsSentInItsOrderWithTheBytesOfTheLedger() async throws {
        try await bench.invoker.whileRunning {
            let records = try await submitManyKinds()
            bench.presence(.online)
            for record in records {
                let send = try #require(await bench.nextSend())
                #expect(send.command == record.prepared)
                #expect(send.attempt == 1)
            }
        }
    }

    @Test func whereTheLedgerFailsWhenTheDeviceReturnsNothingIsSent() async throws {
        try await bench.invoker.whileRunning {
            let record = try await submitOffline()
            bench.ledger.failNextRead(LedgerError(.busy, "the ledger is busy"))
            bench.presence(.online)
            await bench.advanceToDeadline(within: .seconds(2))
            let send = try #require(await bench.nextSend())
            #expect(send.command == record.prepared)
            #expect(await bench.invoker.counters.ledgerFailures == 1)
            #expect(try await sends(of: record.id) == 1)
        }
    }

    /// More than are read at a time.
    @Test func manyAreSentInTheirOrder() async throws {
        try await bench.invoker.whileRunning {
            let urgent = try await submitMany(40, .pause)
            let later = try await submitMany(100)
            bench.presence(.online)
            var sent: [CommandID] = []
            while sent.count < 140 { sent.append(try #require(await bench.nextSend()).id) }
            #expect(sent == urgent + later)
        }
    }

    /// While earlier ones are being read from the ledger.
    @Test func aNewCommandDoesNotOvertakeWhatWaits() async throws {
        try await bench.invoker.whileRunning {
            let waiting = try await submitMany(100)
            bench.presence(.online)
            let new = try await bench.submit(.startCleaning())
            var sent: [CommandID] = []
            while sent.count < 101 { sent.append(try #require(await bench.nextSend()).id) }
            #expect(sent == waiting + [new.id])
        }
    }

    @Test func whatIsTakenBackIsNotSent() async throws {
        try await bench.invoker.whileRunning {
            let ids = try await submitMany(100)
            #expect(try await bench.invoker.withdraw(ids[0]).state == .cancelled)
            let other = bench.ledger.anotherProcess()
            for id in ids[1..<99] { _ = try await other.withdraw(id) }
            bench.presence(.online)
            #expect(await bench.nextSend()?.id == ids[99])
        }
    }

    /// The ledger tells where it stands: it is read for each of them.
    @Test func allAreToldWhyTheyWait() async throws {
        try await bench.invoker.whileRunning {
            _ = try await bench.submit()
            _ = await bench.nextSend()
            bench.channel.loseLink(CommunicationError(.unreachable, "the broker is gone"))
            let first = try await bench.submit(.startCleaning())
            #expect(await bench.recorded(message: "the broker is gone")?.id == first.id)
            let ids = try await submitMany(100, for: .online)
            bench.channel.loseLink(CommunicationError(.timedOut, "the broker does not answer"))
            var told: Set<CommandID> = []
            while told.count < 101 {
                let record = await bench.recorded(message: "the broker does not answer")
                told.insert(try #require(record).id)
            }
            #expect(told == Set(ids + [first.id]))
        }
    }

    @Test func allEndWhereTheDeviceCannotBeListenedTo() async throws {
        bench.channel.refuseConversations(
            CommunicationError(.timedOut, "no answer", isRetriable: true))
        try await bench.invoker.whileRunning {
            let ids = try await submitMany(100, for: .online)
            bench.channel.refuseConversations(CommunicationError(.notPermitted, "not allowed"))
            await bench.advanceToDeadline(within: .seconds(1.2))
            for id in ids {
                #expect(try await bench.invoker.outcome(of: id).record.outcome == .refused)
            }
        }
    }

    /// The wall clock is set back meanwhile: what was promised holds.
    @Test func manyExpireTogether() async throws {
        try await bench.invoker.whileRunning {
            let ids = try await submitMany(100)
            bench.clock.stepWall(by: .seconds(-3_600))
            bench.clock.advance(by: .seconds(600))
            for id in ids {
                #expect(try await bench.invoker.outcome(of: id).record.outcome == .expired)
            }
        }
    }

    /// Nobody said that it was sent, but the device has it.
    @Test func whatTheDeviceSaysOfItIsHeard() async throws {
        try await bench.invoker.whileRunning {
            _ = try await bench.submit()
            _ = await bench.nextSend()
            bench.channel.loseLink(CommunicationError(.unreachable, "the broker is gone"))
            let record = try await bench.submit(.startCleaning())
            #expect(await bench.recorded(message: "the broker is gone")?.id == record.id)
            bench.ack(.succeeded, of: record.id)
            #expect(await bench.recorded(.succeeded)?.id == record.id)
        }
    }

    @Test func itsRecordIsThatOfTheLedger() async throws {
        try await bench.invoker.whileRunning {
            for record in try await submitManyKinds() {
                #expect(try await bench.invoker.record(of: record.id) == record)
                #expect(try await bench.ledger.record(of: record.id) == record)
            }
        }
    }

    @Test func eachExpiresAtItsTime() async throws {
        try await bench.invoker.whileRunning {
            let lifetimes = [20, 10, 30].map { CommandOptions(lifetime: .seconds($0)) }
            var ids: [CommandID] = []
            for options in lifetimes { ids.append(try await submitOffline(options: options).id) }
            for (number, seconds) in [(1, 10), (0, 20), (2, 30)] {
                bench.clock.advance(by: .seconds(10))
                let end = try #require(await bench.recorded(.expired))
                #expect(end.id == ids[number])
                #expect(
                    end.progress.timings.finalAt?.since(end.progress.timings.createdAt)
                        == .seconds(seconds))
            }
        }
    }

    @Test func whoWaitsForItIsTold() async throws {
        try await bench.invoker.whileRunning {
            let record = try await submitOffline()
            var changes = bench.invoker.changes(of: record.id).makeAsyncIterator()
            #expect(await changes.next() == record)
            async let end = bench.invoker.outcome(of: record.id)
            bench.presence(.online)
            #expect(await bench.nextSend()?.command == record.prepared)
            bench.ack(.succeeded, of: record.id)
            #expect(try await end.record.state == .succeeded)
            var last: CommandRecord?
            while let change = await changes.next() { last = change }
            #expect(last?.state == .succeeded)
            #expect(last?.prepared == record.prepared)
        }
    }

    @Test func aWaitThatEndsBeforeTheDeviceReturnsTellsWhereItStands() async throws {
        try await bench.invoker.whileRunning {
            let record = try await submitOffline()
            async let wait = bench.invoker.outcome(of: record.id, within: .seconds(1))
            await bench.advanceToDeadline(within: .seconds(1))
            let end = try await wait
            #expect(!end.isReached)
            #expect(end.record == record)
        }
    }

    // MARK: Parts

    private func submitMany(
        _ count: Int, _ command: CommandRequest<SweepingRobot>? = nil,
        for presence: PresenceReport.Status = .offline
    ) async throws -> [CommandID] {
        let order = try bench.order(command ?? .startCleaning(), for: bench.robot(presence))
        return try await bench.invoker.submit(Array(repeating: order, count: count)).map(\.id)
    }

    private func submitOffline(
        _ command: CommandRequest<SweepingRobot>? = nil, options: CommandOptions? = nil
    ) async throws -> CommandRecord {
        try await bench.submit(
            command ?? .startCleaning(), for: bench.robot(.offline),
            options: options ?? CommandOptions(lifetime: .seconds(30)))
    }

    /// More kinds than have something in common, some of them with arguments and causes of their own.
    private func submitManyKinds() async throws -> [CommandRecord] {
        var records: [CommandRecord] = []
        for round in 1...3 {
            for passes in 1...3 {
                records.append(
                    try await submitOffline(
                        .startCleaning(passes: passes),
                        options: CommandOptions(
                            lifetime: .seconds(30 + round), cause: "round \(round)")))
            }
            records.append(try await submitOffline(.returnToDock))
        }
        return records
    }

    private func sends(of id: CommandID) async throws -> Int {
        try await bench.log(of: id).count { $0 == .sent }
    }
}
