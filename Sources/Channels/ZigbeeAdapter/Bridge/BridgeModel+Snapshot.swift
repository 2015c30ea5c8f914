internal import Connectivity
internal import DeviceDomain

extension BridgeModel {
    /// Everything that is known of a part of the home, as news for a new observer.
    func snapshot(of scope: HomeScope) -> [DeviceNews] {
        var news = scope.contains(bridge) ? bridgeSnapshot : []
        for device in sortedDevices where scope.contains(device.listing.id) {
            news += Self.description(of: device.listing)
            if let presence = presenceNews(device) { news.append(presence) }
            if let state = device.state, !state.isEmpty {
                news.append(
                    DeviceNews(device: device.listing.id, content: .state(StateReport(state))))
            }
        }
        return news
    }

    private var bridgeSnapshot: [DeviceNews] {
        guard let bridgeProfile else { return [] }
        var contents: [DeviceObservation.Content] = [.description(bridgeProfile)]
        if let status { contents.append(.presence(Presence(status))) }
        if let info { contents.append(.state(StateReport(info.state))) }
        for (part, problem) in bridgeProblems.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            contents.append(.problem(part, problem))
        }
        return contents.map { DeviceNews(device: bridge, content: $0) }
    }

    /// A device's description, and the problem with it if there is one.
    static func description(of listing: ListedDevice) -> [DeviceNews] {
        var contents: [DeviceObservation.Content] = [.description(listing.profile)]
        if let problem = listing.problem { contents.append(.problem(.description, problem)) }
        return contents.map { DeviceNews(device: listing.id, content: $0) }
    }

    /// The presence of a device or of the bridge, if it is known.
    func presence(of id: DeviceID) -> PresenceReport.Status? {
        if id == bridge { return status }
        return status == .online ? devices[id]?.presence : nil
    }

    func presenceNews(_ device: ZigbeeDevice) -> DeviceNews? {
        presence(of: device.listing.id).map {
            DeviceNews(device: device.listing.id, content: .presence(Presence($0)))
        }
    }

    /// Every known presence as unknown.
    var clearedPresences: [DeviceNews] {
        sortedDevices.filter { $0.presence != nil }
            .map { DeviceNews(device: $0.listing.id, content: .cleared(.presence)) }
    }

    var sortedDevices: [ZigbeeDevice] {
        devices.values.sorted { $0.listing.id < $1.listing.id }
    }
}
