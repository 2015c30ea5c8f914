internal import Basics
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import History
internal import HomeModel
internal import PostgresPersistence

/// A process that drives its share of the homes of a ledger in PostgreSQL, beside other ones.
///
/// It renews its lease, looks who else is there and who owns what (``HomeAllotment``), takes free homes up to its share
/// and gives up what others are to have. For each home that it owns a ``Home`` runs: taking one is what a restart is for
/// one home. All of them share connections, ledger and one thread, and what is looked for regularly is looked for at once
/// for all of them.
package final class HomeInstance: Sendable {
    /// How often at least it looks who owns what.
    private static let longestPause = Duration.milliseconds(500)
    /// In how long every home has had its turn to look for devices behind new links and to record them.
    private static let turnTime = Duration.seconds(60)
    /// How many homes look for devices and commands at the same time.
    private static let homesAtOnce = 64

    private let template: HomeConfiguration
    private let sharing: HomeSharing
    private let hooks: InstanceHooks
    private let lease: Duration
    private let stop = FutureValue<Void>()
    private let slots = HomeSlots(homesAtOnce)
    /// Keeps what happens in all of its homes; `nil` where nothing is kept.
    private let recorder: HistoryRecorder?
    private let driven = Guarded<[HomeID: DrivenHome]>([:])

    private var ownership: HomeOwnership { sharing.ownership }
    private var clock: any CommandClock { template.clock }

    private init(
        _ template: HomeConfiguration, _ sharing: HomeSharing, _ plan: InstancePlan,
        _ hooks: InstanceHooks
    ) {
        self.template = template
        self.sharing = sharing
        self.hooks = hooks
        lease = plan.lease
        recorder = plan.keptTelemetry.map { age in
            HistoryRecorder(
                in: PostgresSampleStore(sharing.database, keptFor: age), at: .server,
                clock: template.clock
            ) {
                hooks.report(.history($0))
            }
        }
    }

    /// Drives homes for as long as `body` does. Then they are given up, so that others need not wait for the lease.
    /// - Parameters:
    ///   - configuration: that of every home, but for its id.
    ///   - plan: which homes, and how.
    ///   - hooks: who is told what.
    /// - Throws: ``HomeError`` `configuration` for a ledger that is not in PostgreSQL, and for channels that serve one
    ///   home; `ledger`, `ledgerUnreachable`; what `body` throws.
    package static func whileRunning<Value>(
        _ configuration: HomeConfiguration, _ plan: InstancePlan, _ hooks: InstanceHooks,
        _ body: () async throws -> Value
    ) async throws -> Value {
        if let channel = configuration.channels.first(where: { !$0.isForManyHomes }) {
            throw HomeError(
                .configuration,
                "the channel \(channel.id) is of kind \(channel.kind.rawValue) and serves one home: serve that one "
                    + "with --home ID, and the others from a configuration without it")
        }
        try configuration.validate()
        let sharing = try await HomeSharing.open(configuration, plan)
        var template = configuration
        template.sharing = sharing
        // The instance looks for all of its homes.
        template.takesOverOpenCommands = false
        template.endsWithProcess = false
        let instance = HomeInstance(template, sharing, plan, hooks)
        async let running: Void = instance.run(plan.homes)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        instance.stop.settle(())
        await running
        return try result.get()
    }

    // MARK: Running

    private func run(_ homes: ServedHomes) async {
        if let recorder {
            await recorder.run { await self.drive(homes) }
        } else {
            await drive(homes)
        }
        await sharing.end()
    }

    private func drive(_ homes: ServedHomes) async {
        await withDiscardingTaskGroup { group in
            var rounds = InstanceRounds(homes)
            while stop.current == nil {
                for home in await round(&rounds) {
                    group.addTask {
                        await home.run(self.hooks)
                        self.driven.withLock { $0[home.home.id] = nil }
                    }
                }
                await look(&rounds)
                await pause(min(lease / 4, Self.longestPause))
            }
            _ = stopDriving(driven.withLock { Array($0.keys) })
        }
    }

    /// How many homes are driven and are not about to end.
    private var count: Int { driven.withLock { $0.values.count { !$0.isEnding } } }

    private func pause(_ time: Duration) async {
        await withTaskGroup { group in
            group.addTask { await self.clock.sleep(for: time) }
            group.addTask { _ = await self.stop.value() }
            await group.next()
            group.cancelAll()
        }
    }

    // MARK: Homes

    /// Renews the lease, gives up and takes homes.
    /// - Returns: the new homes.
    private func round(_ rounds: inout InstanceRounds) async -> [DrivenHome] {
        do throws(LedgerError) {
            if case .only(let named) = rounds.homes, !rounds.isReady {
                try await ownership.make(named)
            }
            var change = InstanceRounds.Change()
            change.lost = stopDriving(try await ownership.renew().map(\.home))
            let new = try await share(&rounds, &change)
            if change.isAny { hooks.report(change.notice(homes: count)) }
            if !rounds.isReady { hooks.report(.ready(homes: count)) }
            rounds.isReady = true
            if rounds.failure != nil { hooks.report(.recovered) }
            rounds.failure = nil
            return new
        } catch {
            if rounds.failure != error.message { hooks.report(.failed(HomeError(error))) }
            rounds.failure = error.message
            return []
        }
    }

    /// - Returns: how many of these homes it was driving.
    private func stopDriving(_ homes: [HomeID]) -> Int {
        let stopped = driven.withLock { driven in homes.compactMap { driven[$0] } }
        return stopped.count { $0.stop() }
    }

    private func share(
        _ rounds: inout InstanceRounds, _ change: inout InstanceRounds.Change
    ) async throws(LedgerError) -> [DrivenHome] {
        guard let standing = try await ownership.standing(unlike: rounds.settled) else { return [] }
        let allotment = HomeAllotment(standing)
        let known = driven.withLock { Set($0.keys) }
        // What it owns without driving it, after a failure, is given up and then taken again.
        let idle = standing.owners.filter { $0.value == standing.own && !known.contains($0.key) }
        let isSettled = allotment.taken.isEmpty && allotment.givenUp.isEmpty && idle.isEmpty
        rounds.settled = isSettled ? standing.mark : nil
        change.givenUp = stopDriving(allotment.givenUp)
        for home in idle.keys.sorted() {
            try await ownership.release(home, of: template.controller)
        }
        let taken = await take(allotment.taken.filter { !known.contains($0) })
        change.taken = taken.count
        if !taken.isEmpty { rounds.hasNewHomes() }
        return taken
    }

    /// Takes homes side by side, so that they share commits.
    private func take(_ homes: [HomeID]) async -> [DrivenHome] {
        await withTaskGroup(of: Void.self) { group in
            for (number, home) in homes.enumerated() {
                if number >= Self.homesAtOnce { await group.next() }
                group.addTask { await self.take(home) }
            }
            await group.waitForAll()
        }
        // Not in the order of their connections, so that those that begin together have different ones.
        return driven.withLock { driven in homes.shuffled().compactMap { driven[$0] } }
    }

    /// A home that cannot be taken now is looked at again in the next round.
    private func take(_ id: HomeID) async {
        guard case .taken? = try? await ownership.take(id, of: template.controller) else { return }
        var configuration = template
        configuration.home = id
        do throws(HomeError) {
            let home = DrivenHome(try Home(configuration), slots, recorder)
            driven.withLock { $0[id] = home }
        } catch {
            hooks.report(.failed(error))
        }
    }

    // MARK: What is due

    /// Looks at all homes after a while, and at once where there are new ones; and lets a part of them have their turn.
    private func look(_ rounds: inout InstanceRounds) async {
        let homes = driven.withLock { $0 }
        let now = clock.now.elapsed
        if rounds.takeLook(at: now, every: template.takeOverPause) {
            do throws(LedgerError) {
                if let look = try await ownership.look() {
                    for home in homes.values { home.tell(look) }
                }
            } catch {
                // The next round says it.
            }
            reportConnections(homes, &rounds)
        }
        for id in rounds.turns(at: now, in: Self.turnTime, of: homes.keys) {
            homes[id]?.tell(.knowingDevices)
        }
    }

    private func reportConnections(_ homes: [HomeID: DrivenHome], _ rounds: inout InstanceRounds) {
        let failures = homes.values.filter { !$0.isLinked }.compactMap(\.linkFailure)
        let count = failures.count
        guard count != rounds.unconnected else { return }
        rounds.unconnected = count
        hooks.report(.unconnected(count, of: homes.count, failures.first))
    }
}
