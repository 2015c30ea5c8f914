internal import Basics
internal import Connectivity
public import DeviceDomain
internal import HomeModel

extension Home {
    /// Finds the devices: connects where that is not done yet, and waits for the retained messages.
    /// - Throws: ``HomeError`` `noConnection` if no channel has a usable connection, `notRunning`.
    public func survey(_ scope: HomeScope = .everyDevice) async throws(HomeError) -> HomeSurvey {
        try await survey(scope, over: stations)
    }

    /// The devices that the ledger knows and of which nothing is heard, although their channels are up: they
    /// are away, and their broker keeps nothing of them any more; or they are gone.
    /// - Parameter kind: only those of a kind.
    /// - Throws: ``HomeError`` `noConnection`, `ledger`.
    public func unheardDevices(
        of kind: DeviceKind? = nil
    ) async throws(HomeError) -> [DeviceID] {
        let heard = Set(try await survey(.everyDeviceWithoutTelemetry).devices.map(\.id))
        return try await rememberedDevices()
            .filter { (kind == nil || $0.kind == kind) && !heard.contains($0.id) }
            .map(\.id).sorted()
    }

    /// Checks that a device of a kind is known, by what was heard or by the ledger. Where no device is known
    /// at all, nothing can be said of its kind.
    /// - Throws: ``HomeError`` `unknownDevice`, with the kinds that are known.
    package func requireKnownKind(_ kind: DeviceKind?) async throws(HomeError) {
        guard let kind else { return }
        // It goes without a ledger.
        let remembered = (try? await rememberedDevices()) ?? []
        let known = Set(live.model.allDevices.compactMap(\.profile?.kind) + remembered.map(\.kind))
        guard !known.isEmpty, !known.contains(kind) else { return }
        throw HomeError(
            .unknownDevice,
            "no device of kind \(kind.rawValue) is known in \(id); the kinds that are known: "
                + known.map(\.rawValue).sorted().joined(separator: ", "))
    }

    /// As ``survey(_:)``, over some of the channels.
    func survey(
        _ scope: HomeScope, over stations: [ChannelStation]
    ) async throws(HomeError) -> HomeSurvey {
        try requireRunning()
        var doubts: [ChannelID: String] = [:]
        var failures: [ChannelID: HomeError] = [:]
        for (station, result) in await replays(scope, over: stations) {
            switch result {
            case .success(.complete): break
            case .success(.uncertain(let reason)), .success(.incomplete(let reason)):
                doubts[station.channel.id] = reason
            case .failure(let error):
                failures[station.channel.id] = HomeError(error, at: station.setup.address)
            }
        }
        if failures.count == stations.count, let failure = failures[stations[0].channel.id] {
            throw failure
        }
        if !failures.isEmpty { await recallDevices(of: Set(failures.keys)) }
        // What only the ledger knows belongs to the list where nobody can say whether it is still there.
        let devices = live.model.allDevices.filter {
            scope.contains($0.id) && ($0.heardAt != nil || failures[$0.channel] != nil)
        }
        return HomeSurvey(devices: devices, doubts: doubts, failures: failures)
    }

    private func replays(
        _ scope: HomeScope, over stations: [ChannelStation]
    ) async -> [(ChannelStation, Result<ReplayCompleteness, CommunicationError>)] {
        if stations.count == 1 { return [(stations[0], await replay(scope, over: stations[0]))] }
        return await withTaskGroup { group in
            for station in stations {
                group.addTask { (station, await self.replay(scope, over: station)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func replay(
        _ scope: HomeScope, over station: ChannelStation
    ) async -> Result<ReplayCompleteness, CommunicationError> {
        let channel = station.channel
        do throws(CommunicationError) {
            try await open(channel, hearing: scope)
            if let known = replayed(scope, over: channel) { return .success(known) }
            let completeness = try await channel.replay(id, scope) {
                await self.rememberedDevices(of: channel.id)
            }
            note(completeness, of: scope, over: channel)
            return .success(completeness)
        } catch {
            return .failure(error)
        }
    }

    /// Opens a channel and observes a part of the home over it.
    ///
    /// Where there are other channels, one that did not open in time is waited for only once: it goes on trying
    /// beside the others, and until it connects its failure is known.
    private func open(
        _ channel: any CommunicationChannel, hearing scope: HomeScope
    ) async throws(CommunicationError) {
        if let failure = unopened.withLock({ $0[channel.id] }) { throw failure }
        do {
            try await channel.open()
        } catch {
            if stations.count > 1 {
                unopened.withLock { $0[channel.id] = error }
                hear(scope, over: channel)
            }
            throw error
        }
        hear(scope, over: channel)
    }

    /// Whether every device was found over every channel, be it without its telemetry.
    var isSurveyed: Bool {
        hearings.withLock { hearings in
            stations.allSatisfy { hearings[$0.channel.id]?.replayed?.isWhole == true }
        }
    }

    /// Subscribes to a part of the home over a channel, where that is not done yet.
    func hear(_ scope: HomeScope, over channel: any CommunicationChannel) {
        hearings.withLock { hearings in
            let former = hearings[channel.id]
            guard let new = scope.needed(beside: former?.scope) else { return }
            // The new observation begins before old ones end, and the channel does both in one step, so
            // that no message is missed or delivered twice.
            let observation = channel.observe(id, new) { [live] in live.apply($0) }
            let isWhole = new.isWhole
            for old in isWhole ? former?.observations ?? [] : [] { old.cancel() }
            hearings[channel.id] = Hearing(
                scope: former?.scope.union(new) ?? new,
                observations: (isWhole ? [] : former?.observations ?? []) + [observation],
                replayed: former?.replayed, doubt: former?.doubt)
        }
    }

    /// How the replay of a part went that need not be repeated; `nil` if it is due.
    private func replayed(
        _ scope: HomeScope, over channel: any CommunicationChannel
    ) -> ReplayCompleteness? {
        hearings.withLock { hearings in
            guard let hearing = hearings[channel.id],
                let replayed = hearing.replayed, scope.subtracting(replayed) == nil
            else { return nil }
            return scope.isWhole
                ? hearing.doubt.map { .uncertain($0) } ?? .complete : .complete
        }
    }

    private func note(
        _ completeness: ReplayCompleteness, of scope: HomeScope,
        over channel: any CommunicationChannel
    ) {
        hearings.withLock { hearings in
            switch completeness {
            case .incomplete: return
            case .complete: break
            case .uncertain(let reason): hearings[channel.id]?.doubt = reason
            }
            let known = hearings[channel.id]?.replayed
            hearings[channel.id]?.replayed = known?.union(scope) ?? scope
        }
    }

    /// Behind a new link everything must be replayed again.
    func forgetReplay(over channel: any CommunicationChannel) {
        hearings.withLock { hearings in
            hearings[channel.id]?.replayed = nil
            hearings[channel.id]?.doubt = nil
        }
    }

    /// The devices of a channel that the ledger knows; none where there is no ledger.
    private func rememberedDevices(of channel: ChannelID) async -> Set<DeviceID> {
        guard let control = try? await openedControl(),
            let known = try? await control.devices.identifiers(in: id, on: channel)
        else { return [] }
        return known
    }

    /// Adds what the ledger knows of the devices of channels that are down.
    private func recallDevices(of channels: Set<ChannelID>) async {
        guard let control = try? await openedControl(),
            let known = try? await control.devices.devices(in: id)
        else { return }
        live.remember(known.filter { channels.contains($0.channel) })
    }
}

extension HomeScope {
    /// What is to be observed beside a part that is observed already; `nil` where that is nothing.
    ///
    /// The whole home takes the place of its parts. Where only some of its devices need telemetry, it is
    /// observed with all telemetry: so no message is delivered twice.
    fileprivate func needed(beside former: HomeScope?) -> HomeScope? {
        guard let former else { return self }
        guard let new = subtracting(former) else { return nil }
        let sides = [new, former]
        return sides.contains(.everyDeviceWithoutTelemetry) ? .everyDevice : new
    }
}
