import Connectivity
import DeviceDomain
import DeviceMessages
import HomeportTesting
import TestSupport
import Testing

@testable import DeviceControl

/// The small parts of the invoker.
@Suite struct InvokerPartsTests {
    private var generator = SeededGenerator(seed: 11)

    @Test mutating func theOldestOfTooManySettledCommandsIsForgotten() {
        var settled = SettledCommands()
        let ids = (0...SettledCommands.limit).map { _ in makeID() }
        for id in ids.dropLast() {
            #expect(settled.add(id) == nil)
            #expect(settled.add(id) == nil, "it is there once")
        }
        #expect(settled.add(ids[SettledCommands.limit]) == ids[0])
        #expect(settled.add(ids[0]) == ids[1], "it may come again")
    }

    @Test func eventsWaitUntilTheLedgerHasTheCommand() throws {
        let command = TrackedCommand(entering: try LifecycleBench().lifecycle, lane: nil)
        #expect(command.isBusy && !command.isAccepted)
        #expect(!command.beginHandling())
        command.endEntering()
        #expect(!command.isBusy && command.isAccepted)
        #expect(command.beginHandling())
        #expect(!command.beginHandling(), "somebody handles them")
        command.becomeIdle()
        #expect(!command.isBusy)
    }

    @Test func theLogIsFollowedOnceWhileSomethingWaits() {
        let follower = WithdrawalFollower(makeWriter(InMemoryCommandLedger()))
        #expect(follower.begin())
        #expect(!follower.begin())
        follower.end()
        #expect(follower.begin())
    }

    @Test func whatWasWithdrawnBeforeIsNoNews() async throws {
        let ledger = InMemoryCommandLedger()
        let channel = try ChannelID("scripted")
        let intents = try (0..<2).map { _ in try LifecycleBench().lifecycle.intent }
        let progress = CommandProgress(
            step: 1, state: .queued, timings: CommandTimings(createdAt: intents[0].issuedAt))
        for intent in intents {
            try await ledger.accept(intent, opening: progress, channel: channel)
        }
        _ = try await ledger.withdraw(intents[0].id)
        let follower = WithdrawalFollower(makeWriter(ledger))
        await follower.findEndOfLog()
        _ = try await ledger.withdraw(intents[1].id)
        #expect(await follower.news().map(\.id) == [intents[1].id])
        #expect(await follower.news().isEmpty)
    }

    @Test func aFaultyDeviceFillsNoLedger() async throws {
        let ledger = InMemoryCommandLedger()
        let writer = makeWriter(ledger)
        let bench = try LifecycleBench()
        let anomaly = CommandAnomaly(
            .foreignDevice, command: bench.lifecycle.intent.id, device: bench.device)
        for _ in 0...LedgerWriter.notedAnomalies { await writer.note(anomaly) }
        #expect(ledger.anomalies.count == LedgerWriter.notedAnomalies)
        #expect(writer.counters.foreignAcks == LedgerWriter.notedAnomalies + 1)
        #expect(writer.counters.unnotedAnomalies == 1)
    }

    private func makeWriter(_ ledger: InMemoryCommandLedger) -> LedgerWriter {
        LedgerWriter(ledger, clock: ManualClock())
    }

    private mutating func makeID() -> CommandID {
        CommandID(at: Timestamp(milliseconds: 0), using: &generator)
    }
}
