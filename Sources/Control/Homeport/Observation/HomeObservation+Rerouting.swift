internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel

/// Devices that several channels know, and the channels that they use.
extension HomeObservation {
    /// Lets what waits for devices follow them to the channels that they use, until the task is cancelled.
    func rerouteUntilCancelled(_ deviceFactory: DeviceFactory) async {
        await withDiscardingTaskGroup { group in
            for await _ in live.channelChanges {
                if let due = live.nextReview {
                    group.addTask { [clock, live] in
                        await clock.sleep(until: due)
                        if !Task.isCancelled { live.review() }
                    }
                }
                await reroute(deviceFactory)
            }
            group.cancelAll()
        }
    }

    /// Lets what waits for devices go over the channels that they use now.
    func reroute(_ deviceFactory: DeviceFactory) async {
        guard channels.count > 1 else { return }
        guard let storage = try? await lifetime.storage() else { return }
        for id in await storage.invoker.devicesWithWaiting.sorted() {
            guard let known = live.device(id), let channel = usableChannel(of: known) else {
                continue
            }
            await storage.invoker.reroute(
                LocatedDevice(device: known.device(madeBy: deviceFactory), heardOn: channel))
        }
    }

    /// The channel that commands for a device take now, if it leads there as far as is known.
    private func usableChannel(of device: KnownDevice) -> ChannelID? {
        guard let profile = device.profile, live.links[device.channel]?.isConnected == true,
            let choice = try? factory.choice(for: profile, heardOn: device.channel)
        else { return nil }
        if case .offline = device.connection { return nil }
        return choice.channel.id
    }
}
