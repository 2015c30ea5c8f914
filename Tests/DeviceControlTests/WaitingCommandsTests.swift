import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Testing

/// Commands that wait for a device that is away. Their bytes are in the ledger alone until the device
/// returns, or until somebody wants to see them.
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
            let waiting = try #require(await bench.recorded(message: "the ledger is busy"))
            #expect(waiting.state == .queued)
            #expect(waiting.progress.sends == 0)
            #expect(await bench.invoker.counters.ledgerFailures == 1)
            await bench.advanceToDeadline(within: .seconds(2))
            let send = try #require(await bench.nextSend())
            #expect(send.command == record.prepared)
            #expect(try await sends(of: record.id) == 2, "the first one was taken back")
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
