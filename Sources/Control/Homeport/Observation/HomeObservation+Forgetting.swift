internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import HomeModel

extension HomeObservation {
    /// Removes a device from the ledger, from what is known of the home, and from what its channel keeps.
    /// - Parameter takeBack: takes back the commands that wait for the device, before anything goes.
    func forget(
        _ id: DeviceID, evenIfOnline: Bool,
        _ takeBack: (DeviceID) async throws(HomeError) -> [CommandID]
    ) async throws(HomeError) -> ForgottenDevice {
        let device = live.identities.device(id)
        let storage = try await lifetime.storage()
        let failures =
            evenIfOnline
            ? (try? await survey(.device(device)))?.failures ?? [:]
            : try await survey(.device(device)).failures
        let known = live.device(device)
        do {
            let stored = try await storage.devices.device(device, in: home)
            guard let channel = known?.channel ?? stored?.channel else {
                throw HomeError.unknownDevice(device.text, in: place)
            }
            // Without a connection it is not known whether the device is online, and nothing is cleared.
            if let failure = failures[channel], !evenIfOnline { throw failure }
            if case .online? = known?.connection, !evenIfOnline { throw HomeError.online(device) }
            let takenBack = try await takeBack(device)
            let ways = known?.ways?.all ?? []
            let all = ways.isEmpty ? [channel] : ways.map(\.channel)
            var reason: String?
            for channel in all { reason = await clear(device, over: channel) ?? reason }
            let ids = live.identities.ids(of: device)
            for id in ids { try await storage.devices.forget(id, in: home) }
            try await labels.forget(device)
            for channel in all {
                live.apply(
                    DeviceObservation(
                        channel: channel, home: home, device: device, content: .removed))
            }
            return ForgottenDevice(id: device, comesBack: reason, takenBack: takenBack)
        } catch {
            throw HomeError(wrapping: error)
        }
    }

    /// Clears what a channel keeps of a device.
    /// - Returns: why some of it stays; `nil` also for a channel that the home does not use any more.
    private func clear(_ device: DeviceID, over channel: ChannelID) async -> String? {
        do throws(CommunicationError) {
            try await self.channel(channel)?.channel.clear(device, in: home)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension HomeError {
    fileprivate static func online(_ device: DeviceID) -> HomeError {
        HomeError(
            .deviceOnline,
            "\(device) is online, and its next message would bring it back; switch it off, then forget it"
        )
    }
}
