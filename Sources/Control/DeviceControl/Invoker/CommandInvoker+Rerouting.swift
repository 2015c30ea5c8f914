internal import Connectivity
public import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    /// A device uses this channel from now on: what waits for it on others goes over this one, as far as it
    /// certainly never left.
    ///
    /// A command whose bytes may have left stays on its channel until its outcome is known, so no command is
    /// ever on two channels. One stays, too, whose revision is that of its channel, that the device does not
    /// take on the new channel, or that the new channel cannot express. A command changes its channel by a
    /// compare-and-set in the ledger, before anything of it leaves.
    /// - Parameter located: the device as it is known on the channel, and that channel.
    public func reroute(_ located: LocatedDevice) async {
        let profile = located.device.profile
        guard case .running = work.operation,
            let channel = factory.allChannels.first(where: { $0.id == located.heardOn })
        else { return }
        let others = lanes.values
            .filter {
                $0.id.device == profile.id && $0.id.home == profile.home
                    && $0.id.channel != channel.id && $0.hasWaiting
            }
            .sorted { $0.id.channel < $1.id.channel }
        guard !others.isEmpty else { return }
        let lane = lane(to: located.device, over: channel)
        await lane.firstAttempt()
        switch lane.reach {
        // It waits where it is rather than being refused.
        case .offline, .refused: return
        case .reachable, .linkDown: break
        }
        var moved: [CommandID] = []
        for other in others {
            moved += await ChannelMove(from: other, to: lane, as: profile, followed).perform()
        }
        let reach = lane.reach
        await followed.deliver(moved.map { EventDelivery(.reach(reach), to: $0) })
    }

    /// The devices for which commands of this process wait.
    public var devicesWithWaiting: Set<DeviceID> {
        Set(lanes.values.filter(\.hasWaiting).map(\.id.device))
    }
}
