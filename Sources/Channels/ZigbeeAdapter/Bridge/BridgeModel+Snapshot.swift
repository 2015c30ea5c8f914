internal import Connectivity
internal import DeviceDomain

extension BridgeModel {
    /// Everything that is known of a part of the home, as updates for a new observer.
    func snapshot(of scope: HomeScope) -> [DeviceUpdate] {
        var updates = scope.contains(bridge) ? bridgeSnapshot : []
        for device in sortedDevices where scope.contains(device.listing.id) {
            updates += Self.description(of: device.listing)
            if let presence = presenceUpdate(device) { updates.append(presence) }
            if let state = device.state, !state.isEmpty {
                updates.append(
                    DeviceUpdate(device: device.listing.id, content: .state(StateReport(state))))
            }
        }
        return updates
    }

    private var bridgeSnapshot: [DeviceUpdate] {
        guard let bridgeProfile else { return [] }
        var contents: [DeviceObservation.Content] = [.description(bridgeProfile)]
        if let status { contents.append(.presence(Presence(status))) }
        if let info { contents.append(.state(StateReport(info.state))) }
        for (part, problem) in bridgeProblems.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            contents.append(.problem(part, problem))
        }
        return contents.map { DeviceUpdate(device: bridge, content: $0) }
    }

    /// A device's description, and the problem with it if there is one.
    static func description(of listing: ListedDevice) -> [DeviceUpdate] {
        var contents: [DeviceObservation.Content] = [.description(listing.profile)]
        if let problem = listing.problem { contents.append(.problem(.description, problem)) }
        return contents.map { DeviceUpdate(device: listing.id, content: $0) }
    }

    /// The presence of a device or of the bridge, if it is known.
    func presence(of id: DeviceID) -> PresenceReport.Status? {
        if id == bridge { return status }
        return status == .online ? devices[id]?.presence : nil
    }

    func presenceUpdate(_ device: ZigbeeDevice) -> DeviceUpdate? {
        presence(of: device.listing.id).map {
            DeviceUpdate(device: device.listing.id, content: .presence(Presence($0)))
        }
    }

    /// Every known presence as unknown.
    var clearedPresences: [DeviceUpdate] {
        sortedDevices.filter { $0.presence != nil }
            .map { DeviceUpdate(device: $0.listing.id, content: .cleared(.presence)) }
    }

    var sortedDevices: [ZigbeeDevice] {
        devices.values.sorted { $0.listing.id < $1.listing.id }
    }
}
