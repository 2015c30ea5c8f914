import Connectivity
import DeviceDomain
import DeviceMessages
import HomeportTesting
import TestSupport
import Testing

@testable import DeviceControl

/// What one device's lane does with its commands, without an invoker that does its work.
@Suite struct DeviceLaneTests {
    private let bench: InvokerBench
    private let work: WorkQueue
    private let followed: FollowedCommands
    private let lane: DeviceLane

    init() throws {
        bench = try InvokerBench()
        let (_, source) = BoundedStream<Void>.make(.dropOldest(limit: 1))
        work = WorkQueue(telling: source)
        followed = FollowedCommands(
            LedgerWriter(bench.ledger, clock: bench.clock), clock: bench.clock, work: work,
            watchers: ChangeWatchers(), generator: SeededGenerator(seed: 5))
        lane = DeviceLane(
            ConversationID(home: bench.home, device: bench.device, channel: bench.channel.id),
            DeviceConversation(
                with: try bench.robot(.offline), over: bench.channel, awaitsPresence: false),
            over: ChannelTraffic(), followed: followed)
    }

    @Test func aCommandIsFollowedByItsLane() async throws {
        let record = try await follow()
        #expect(lane.commands.keys.sorted() == [record.id])
        #expect(lane.waitingCount == 1)
        #expect(lane.openCommands.map(\.id) == [record.id])
    }

    @Test func aCommandThatOnlyWaitsIsLeftToTheLedger() async throws {
        let record = try await follow()
        followed.rest(record.id)
        #expect(followed[record.id] == nil)
        #expect(lane.commands.isEmpty)
        #expect(lane.queue.count == 0)
        #expect(lane.stored.count == 1)
        #expect(lane.hasWaiting)
        #expect(nextWork() == ["follow withdrawals", "sleep until its expiry"])
    }

    @Test func oneThatSomebodyWaitsForStaysFollowed() async throws {
        let record = try await follow()
        let slot = WaitSlot(goal: .final)
        followed.waits.add(slot, for: record.id)
        followed.rest(record.id)
        #expect(followed[record.id] != nil)
        followed.waits.remove(slot, for: record.id)
        followed.rest(record.id)
        #expect(followed[record.id] == nil)
    }

    @Test func whatIsReadyIsSentInItsTurn() async throws {
        let records = [try await follow(), try await follow()]
        let commands = records.compactMap { followed[$0.id] }
        _ = nextWork()
        lane.setQueuePlace(.ready, of: commands[1])
        #expect(nextWork().isEmpty, "the first one waits")
        lane.setQueuePlace(.ready, of: commands[0])
        #expect(nextWork() == ["send \(records[0].id)"])
    }

    @Test func storedCommandsAreReadWhenTheDeviceIsBack() async throws {
        let record = try await follow()
        followed.rest(record.id)
        _ = nextWork()
        _ = lane.conversation.enter(.listening)
        lane.recallIfDue()
        #expect(nextWork().isEmpty, "it is away")
        _ = lane.conversation.apply(Presence(.online, boot: bench.boot))
        lane.recallIfDue()
        lane.recallIfDue()
        #expect(nextWork() == ["recall"], "once")
    }

    /// Whoever forgets a device clears its presence at the broker: that brings nobody back.
    @Test func aDeviceThatWasAwayIsSoWhenItsPresenceIsCleared() throws {
        var conversation = lane.conversation
        _ = conversation.enter(.listening)
        conversation.losePresence()
        #expect(conversation.reach(over: .works) == .offline)
        _ = conversation.apply(Presence(.online, boot: bench.boot))
        conversation.losePresence()
        #expect(conversation.reach(over: .works) == .reachable)
    }

    @Test func whatIsStoredMovesToAnotherChannel() async throws {
        let record = try await follow()
        followed.rest(record.id)
        let (other, _) = try anotherLane()
        let moved = await ChannelMove(
            from: lane, to: other, as: try bench.robot().profile, followed
        ).perform()
        #expect(moved == [record.id])
        #expect(!lane.hasWaiting)
        #expect(other.commands.keys.sorted() == [record.id])
        let now = try await bench.ledger.record(of: record.id)
        #expect(now?.prepared.channel == other.id.channel)
    }

    @Test func whatTheOtherChannelCannotExpressIsLeftToTheLedgerAgain() async throws {
        let record = try await follow()
        followed.rest(record.id)
        let (other, channel) = try anotherLane()
        channel.refuseCommands(
            CommunicationError(.cannotExpress, "no such command", certainty: .neverLeft))
        let moved = await ChannelMove(
            from: lane, to: other, as: try bench.robot().profile, followed
        ).perform()
        #expect(moved.isEmpty)
        #expect(followed[record.id] == nil)
        #expect(lane.stored.count == 1)
        #expect(other.commands.isEmpty)
    }

    // MARK: Parts

    /// A lane to the same device over another channel.
    private func anotherLane() throws -> (DeviceLane, ScriptedChannel) {
        let channel = ScriptedChannel(id: try ChannelID("other"))
        let lane = DeviceLane(
            ConversationID(home: bench.home, device: bench.device, channel: channel.id),
            DeviceConversation(with: try bench.robot(), over: channel, awaitsPresence: false),
            over: ChannelTraffic(), followed: followed)
        return (lane, channel)
    }

    /// Lets the lane have a command that waits.
    private func follow() async throws -> CommandRecord {
        var intent = try LifecycleBench().lifecycle.intent
        intent.id = CommandID(at: bench.clock.now.wall, using: &followed.generator)
        let progress = CommandProgress(
            step: 1, state: .queued, timings: CommandTimings(createdAt: intent.issuedAt))
        let record = try await bench.ledger.accept(
            intent, opening: progress, channel: bench.channel.id)
        followed.follow(record, in: lane)
        if let command = followed[record.id] { lane.updateQueuePlace(of: command) }
        return record
    }

    /// What there is to be done.
    private func nextWork() -> [String] {
        var names: [String] = []
        while let work = work.next() {
            switch work {
            case .send(_, _, let first): names.append("send \(first)")
            case .sleep: names.append("sleep until its expiry")
            case .recall: names.append("recall")
            case .followWithdrawals: names.append("follow withdrawals")
            case .converse, .watchLink, .wake, .handleEvents, .ask, .keepSettings, .present,
                .readOthers:
                names.append("something else")
            }
        }
        return names
    }
}
