import Basics
import Connectivity
import DeviceDomain
import HomeportTesting
import Testing

@testable import Homeport

/// What the homes of an instance share.
@Suite(.timeLimit(.minutes(1))) struct InstanceSharingTests {
    private let made = MadeChannels()

    // MARK: Channels

    @Test func soManyHomesShareAChannelAndTheLastOneClosesIt() async throws {
        let channels = SharedChannels()
        let limit = SharedChannels.homesPerConnection
        let context = try context()
        let uses = try (0..<limit + 1).map { _ in try channels.channel(setup, context) }
        #expect(channels.count == 2)
        let (first, second) = made.list.withLock { ($0[0], $0[1]) }
        await uses[limit].close()
        #expect(channels.count == 1)
        #expect(await isClosed(second))
        for use in uses[1..<limit] { await use.close() }
        #expect(await !isClosed(first))
        await uses[0].close()
        #expect(await isClosed(first))
        #expect(channels.count == 0)
    }

    @Test func aPlaceThatIsFreeAgainIsUsed() async throws {
        let channels = SharedChannels()
        let context = try context()
        let uses = try (0..<SharedChannels.homesPerConnection).map { _ in
            try channels.channel(setup, context)
        }
        await uses[3].close()
        await uses[3].close()
        _ = try channels.channel(setup, context)
        #expect(channels.count == 1)
        _ = try channels.channel(setup, context)
        #expect(channels.count == 2)
    }

    @Test func aHomeThatClosesEndsItsObservationsAlone() async throws {
        let channels = SharedChannels()
        let (one, other) = (
            try channels.channel(setup, context()), try channels.channel(setup, context())
        )
        _ = one.observe(.literal("home-1"), .everyDevice) { _ in }
        _ = other.observe(.literal("home-2"), .everyDeviceWithoutTelemetry) { _ in }
        let base = made.list.withLock { $0[0] }
        #expect(base.observedScopes.count == 2)
        await one.close()
        #expect(base.observedScopes == [.everyDeviceWithoutTelemetry])
        _ = one.observe(.literal("home-1"), .everyDevice) { _ in }
        #expect(base.observedScopes == [.everyDeviceWithoutTelemetry], "it is closed")
    }

    // MARK: Turns

    @Test func soManyWorkAtATimeAndTheOthersFollow() async {
        let slots = HomeSlots(2)
        let (begun, begin) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingOldest(10))
        let ends = (0..<4).map { _ in FutureValue<Void>() }
        await withDiscardingTaskGroup { group in
            var started = begun.makeAsyncIterator()
            for number in 0..<4 {
                group.addTask {
                    await slots.inTurn {
                        begin.yield(number)
                        _ = await ends[number].value()
                    }
                }
            }
            var running: Set<Int> = []
            for _ in 0..<2 { if let number = await started.next() { running.insert(number) } }
            for _ in 0..<2 {
                guard let done = running.popFirst() else { break }
                ends[done].settle(())
                if let next = await started.next() { running.insert(next) }
            }
            #expect(running.count == 2)
            for end in ends { end.settle(()) }
        }
    }

    @Test func whoIsCancelledWhileWaitingTakesNobodysTurn() async {
        let slots = HomeSlots(1)
        let (hold, isHeld) = (FutureValue<Void>(), FutureValue<Void>())
        await withDiscardingTaskGroup { group in
            group.addTask {
                await slots.inTurn {
                    isHeld.settle(())
                    _ = await hold.value()
                }
            }
            _ = await isHeld.value()
            let waiting = Task { await slots.inTurn { Issue.record("it was cancelled") } }
            waiting.cancel()
            await waiting.value
            hold.settle(())
        }
        let ran = Guarded(false)
        await slots.inTurn { ran.withLock { $0 = true } }
        #expect(ran.withLock { $0 })
    }

    // MARK: Rounds

    @Test func everyHomeHasOneTurnInAMinute() {
        var rounds = InstanceRounds(.all)
        let homes = ["a", "b", "c", "d", "e", "f", "g"].compactMap(HomeID.init(rawValue:))
        var turns: [HomeID: Int] = [:]
        for step in 0...600 {
            let now = Duration.milliseconds(500) * step
            for home in rounds.turns(at: now, in: .seconds(60), of: homes) {
                turns[home, default: 0] += 1
            }
        }
        // In five minutes.
        #expect(turns.count == 7)
        #expect(turns.values.allSatisfy { (4...5).contains($0) }, "\(turns)")
    }

    @Test func homesAreLookedAtAfterAWhileAndWhenThereAreNewOnes() {
        var rounds = InstanceRounds(.all)
        let looks = (0...20).filter { second in
            if second == 12 { rounds.hasNewHomes() }
            return rounds.takeLook(at: .seconds(second), every: .seconds(5))
        }
        #expect(looks == [0, 5, 10, 12, 17])
    }

    // MARK: Parts

    private var setup: ChannelSetup {
        ChannelSetup(id: .mqtt, kind: ChannelKind(rawValue: "scripted"), address: "scripted") {
            [made] _ in
            let channel = ScriptedChannel(id: .mqtt)
            made.list.withLock { $0.append(channel) }
            return channel
        }
    }

    private func context() throws -> ChannelContext {
        ChannelContext(
            home: .literal("home-1"), controller: .literal("ctl"),
            eventLoop: try MQTTEventLoop(label: "test"),
            logger: HomeConfiguration(home: .literal("home-1"), channels: []).logger)
    }

    /// Whether the streams of a channel have ended.
    private func isClosed(_ channel: ScriptedChannel) async -> Bool {
        for await link in channel.linkStates() {
            if case .lost(_, retryIn: nil) = link { return true }
            return false
        }
        return true
    }
}

/// The channels that a setup has made.
private final class MadeChannels: Sendable {
    let list = Guarded<[ScriptedChannel]>([])
}
