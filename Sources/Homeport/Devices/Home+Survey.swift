internal import Connectivity
internal import DeviceDomain
internal import HomeModel
internal import Synchronization

extension Home {
    /// Finds the devices: connects where that is not done yet, and waits for the retained messages.
    /// - Throws: ``HomeError`` `noConnection` if no channel has a usable connection, `notRunning`.
    public func survey(_ scope: HomeScope = .everyDevice) async throws(HomeError) -> HomeSurvey {
        try await survey(scope, over: stations)
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
            case .success(.incomplete(let reason)): doubts[station.channel.id] = reason
            case .failure(let error):
                failures[station.channel.id] = HomeError(error, at: station.setup.address)
            }
        }
        if failures.count == stations.count, let failure = failures[stations[0].channel.id] {
            throw failure
        }
        if !failures.isEmpty { await recallDevices(of: Set(failures.keys)) }
        let devices = live.model.allDevices.filter { scope.contains($0.id) }
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
            try await channel.open()
            hear(scope, over: channel)
            if hasReplayed(scope, over: channel) { return .success(.complete) }
            let completeness = try await channel.replay(id, scope)
            if completeness == .complete { noteReplay(of: scope, over: channel) }
            return .success(completeness)
        } catch {
            return .failure(error)
        }
    }

    /// Subscribes to a part of the home over a channel, where that is not done yet.
    func hear(_ scope: HomeScope, over channel: any CommunicationChannel) {
        hearings.withLock { hearings in
            let former = hearings[channel.id]
            let union = former.map { $0.scope.union(scope) } ?? scope
            guard former?.scope != union else { return }
            // The new observation begins before the old one ends, and the channel does both in
            // one step, so that no message is missed or delivered twice.
            let observation = channel.observe(id, union) { [live] in live.apply($0) }
            former?.observation.cancel()
            hearings[channel.id] = Hearing(
                scope: union, observation: observation, replayed: former?.replayed)
        }
    }

    private func hasReplayed(_ scope: HomeScope, over channel: any CommunicationChannel) -> Bool {
        hearings.withLock { $0[channel.id]?.replayed.map { $0.union(scope) == $0 } ?? false }
    }

    private func noteReplay(of scope: HomeScope, over channel: any CommunicationChannel) {
        hearings.withLock { hearings in
            let known = hearings[channel.id]?.replayed
            hearings[channel.id]?.replayed = known?.union(scope) ?? scope
        }
    }

    /// Adds what the ledger knows of the devices of channels that are down.
    private func recallDevices(of channels: Set<ChannelID>) async {
        guard let control = try? await openedControl(),
            let known = try? await control.devices.devices(in: id)
        else { return }
        live.remember(known.filter { channels.contains($0.channel) })
    }
}
