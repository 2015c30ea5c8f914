import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import TestSupport
import Testing

/// What follows a device to another channel, and what stays.
@Suite(.timeLimit(.minutes(1))) struct InvokerReroutingTests {
    private let bench: InvokerBench
    private let other: ScriptedChannel
    private let invoker: CommandInvoker

    init() throws {
        bench = try InvokerBench()
        other = ScriptedChannel(id: try ChannelID("other"))
        invoker = CommandInvoker(
            controller: bench.controller, ledger: bench.ledger,
            factory: CommunicationStrategyFactory(channels: [bench.channel, other]),
            clock: bench.clock, generator: SeededGenerator(seed: 7))
        other.onSend { $0.acknowledged(.accepted, .succeeded) }
    }

    private func submit(
        _ command: CommandRequest<SweepingRobot> = .setSuctionLevel(.turbo),
        options: CommandOptions = .init()
    ) async throws -> CommandRecord {
        try await invoker.submit(
            try CommandOrder(
                command, for: try bench.robot(), heardOn: bench.channel.id, options: options))
    }

    private func reroute() async throws {
        await invoker.reroute(
            LocatedDevice(device: try bench.robot(), heardOn: other.id))
    }

    @Test func whatWaitsGoesOverTheOtherChannelInItsOrder() async throws {
        bench.channel.loseLink()
        try await invoker.whileRunning {
            let first = try await submit(.locate)
            let second = try await submit(.setSuctionLevel(.max))
            #expect(first.state == .queued && second.state == .queued)
            try await reroute()
            for record in [first, second] {
                let end = try await invoker.outcome(of: record.id).record
                #expect(end.state == .succeeded)
                #expect(end.prepared.channel == other.id)
                #expect(end.prepared.sequence == record.prepared.sequence)
            }
            bench.channel.restoreLink()
            await invoker.reroute(
                LocatedDevice(device: try bench.robot(), heardOn: bench.channel.id))
            await other.close()
            await bench.channel.close()
            var sent: [CommandID] = []
            for await send in other.sends { sent.append(send.id) }
            #expect(sent == [first.id, second.id])
            for await send in bench.channel.sends { Issue.record("\(send.id) went over both") }
        }
    }

    @Test func aCallerThatWaitsIsToldTheEnd() async throws {
        bench.channel.loseLink()
        try await invoker.whileRunning {
            let record = try await submit()
            async let waiting = invoker.outcome(of: record.id)
            try await reroute()
            #expect(try await waiting.record.prepared.channel == other.id)
        }
    }

    @Test func whatMayHaveLeftStays() async throws {
        bench.channel.answer(.failure(.scriptedLoss))
        try await invoker.whileRunning {
            let record = try await submit()
            for await _ in bench.channel.sends { break }
            bench.channel.loseLink()
            _ = await bench.recorded(.queued, mayHaveLeft: true)
            try await reroute()
            let now = try await bench.ledger.record(of: record.id)
            #expect(now?.prepared.channel == bench.channel.id)
            await other.close()
            for await send in other.sends { Issue.record("\(send.id) went over both") }
        }
    }

    @Test func aRevisionOfOneChannelStaysThere() async throws {
        bench.channel.loseLink()
        try await invoker.whileRunning {
            let record = try await submit(options: CommandOptions(ifRevision: 4))
            try await reroute()
            let now = try await bench.ledger.record(of: record.id)
            #expect(now?.prepared.channel == bench.channel.id)
        }
    }

    @Test func whatTheOtherChannelCannotExpressStays() async throws {
        bench.channel.loseLink()
        other.refuseCommands(
            CommunicationError(.cannotExpress, "no such command", certainty: .neverLeft))
        try await invoker.whileRunning {
            let record = try await submit()
            try await reroute()
            #expect(
                try await bench.ledger.record(of: record.id)?.prepared.channel == bench.channel.id)
            other.refuseCommands(nil)
            try await reroute()
            #expect(try await invoker.outcome(of: record.id).record.prepared.channel == other.id)
        }
    }

    @Test func theLedgerDecidesBetweenTwoProcesses() async throws {
        bench.channel.loseLink()
        try await invoker.whileRunning {
            let record = try await submit()
            // Another process has withdrawn it, and this one has not heard of that.
            _ = try await bench.ledger.withdraw(record.id)
            try await reroute()
            #expect(try await bench.ledger.record(of: record.id)?.state == .cancelled)
            await other.close()
            for await send in other.sends { Issue.record("\(send.id) was sent") }
        }
    }

    @Test func aLedgerThatFailsLetsNothingMove() async throws {
        bench.channel.loseLink()
        try await invoker.whileRunning {
            let record = try await submit()
            bench.ledger.failNextAdvance(LedgerError(.failed, "the disk is full"))
            try await reroute()
            #expect(
                try await bench.ledger.record(of: record.id)?.prepared.channel == bench.channel.id)
            try await reroute()
            #expect(try await invoker.outcome(of: record.id).record.prepared.channel == other.id)
        }
    }
}
