internal import Connectivity
internal import DeviceDomain

extension AlinkModel {
    /// Everything that is known of a part of the home, as updates for a new observer.
    func snapshot(of scope: HomeScope) -> [DeviceUpdate] {
        devices.values.filter { scope.contains($0.profile.id) }
            .sorted { $0.profile.id < $1.profile.id }
            .flatMap { device in
                var updates = Self.description(of: device)
                if let presence = Self.presenceUpdate(device) { updates.append(presence) }
                let state = device.state
                if !state.isEmpty {
                    updates.append(
                        DeviceUpdate(device: device.profile.id, content: .state(StateReport(state)))
                    )
                }
                return updates
            }
    }

    /// A device's description, and the problem with it if there is one.
    static func description(of device: AlinkDevice) -> [DeviceUpdate] {
        var contents: [DeviceObservation.Content] = [.description(device.profile)]
        if let problem = device.problem { contents.append(.problem(.description, problem)) }
        return contents.map { DeviceUpdate(device: device.profile.id, content: $0) }
    }

    /// The presence of a device, if it is known.
    func presence(of id: DeviceID) -> PresenceReport.Status? { devices[id]?.presence }

    /// What a conversation with a device is told where the broker tells no presence of it: commands to one of
    /// which nothing was heard since the connection was made wait, as for one that is offline. Others may be
    /// tried, because the broker may have no plugin.
    func standIn(for id: DeviceID) -> DeviceUpdate {
        devices[id]?.isHeard == true
            ? .unknownPresence(of: id)
            : DeviceUpdate(device: id, content: .presence(Presence(.offline)))
    }

    static func presenceUpdate(_ device: AlinkDevice) -> DeviceUpdate? {
        device.presence.map {
            DeviceUpdate(device: device.profile.id, content: .presence(Presence($0)))
        }
    }
}
