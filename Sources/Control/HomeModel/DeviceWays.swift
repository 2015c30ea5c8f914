internal import Connectivity
public import DeviceDomain

/// How a device that is known on several channels is reached.
public struct DeviceWays: Hashable, Sendable {
    /// One channel on which the device is known.
    public struct Way: Hashable, Sendable {
        /// The channel.
        public let channel: ChannelID
        /// The id that the device has there.
        public let device: DeviceID
        /// Whether it can be reached there.
        public let connection: ConnectionState
    }

    /// The channels, the best one first.
    public let all: [Way]
    /// Why the channel in use is used, for people.
    public let reason: String
    /// The channel that reported the state; `nil` where there is none.
    public let stateSource: ChannelID?
}

/// What each of several channels reports of one device, and what follows for the device.
struct SharedDevice: Sendable {
    /// What each channel reports. Each has the id of the device in the home.
    var reports: [ChannelID: KnownDevice]
    /// Which of them is used.
    private(set) var selection = ChannelSelection()
    private var newest = Newest()
    private var order: [ChannelID] = []

    /// Which channel reported a part last.
    private struct Newest {
        var state: ChannelID?
        var telemetry: ChannelID?
    }

    init(_ reports: [KnownDevice]) {
        self.reports = Dictionary(reports.map { ($0.channel, $0) }) { first, _ in first }
        newest.state = reports.last { $0.state != nil }?.channel
        newest.telemetry = reports.last { $0.telemetry != nil }?.channel
    }

    /// The channels on which it is known.
    var channels: Set<ChannelID> { Set(reports.keys) }

    /// Takes note of a state or a sample that a channel has reported.
    mutating func note(_ change: DeviceChange.Content?, from channel: ChannelID) {
        switch change {
        case .state(let state)?:
            // One that was made before the newest of another channel is not the newest.
            if let known = newest.state, known != channel, let at = state.at,
                let newestAt = reports[known]?.state?.at, at < newestAt
            {
                return
            }
            newest.state = channel
        case .telemetry(let sample)?:
            if let known = newest.telemetry, known != channel, let at = sample.at,
                let newestAt = reports[known]?.telemetry?.at, at < newestAt
            {
                return
            }
            newest.telemetry = channel
        case .description, .presence, .doubt, .channel, .label, .event, .evidence, .removed,
            .problem,
            nil:
            break
        }
    }

    /// Decides which channel is used.
    /// - Parameter order: the channels that it may use, the best one first.
    mutating func select(_ order: [ChannelID], links: [ChannelID: LinkUse], at time: Duration) {
        self.order = order
        selection.update(
            order.map { channel in
                (channel, reports[channel]?.way(over: links[channel] ?? .unknown) ?? .unknown)
            }, at: time)
    }

    /// The device as it is known by all channels together.
    /// - Parameters:
    ///   - former: as it was known before.
    ///   - identities: tell the id that it has on each channel.
    func joined(
        after former: KnownDevice?, _ identities: DeviceIdentities
    ) -> KnownDevice? {
        guard let channel = selection.channel ?? order.first ?? reports.keys.min(),
            let used = reports[channel] ?? reports.min(by: { $0.key < $1.key })?.value
        else { return nil }
        var device = used
        device.channel = channel
        // A rule may name a channel that does not know the device.
        if reports[channel] == nil { device.connection = .unknown }
        let others = order.compactMap { reports[$0] } + reports.values
        // Where the channel in use has told no presence, or not yet, that of another one counts.
        if reports[channel] != nil, used.presence == nil,
            let present = others.first(where: \.connection.isOnline)
        {
            device.connection = present.connection
            device.presence = present.presence
        }
        if case .described = used.identity {
        } else if let described = others.first(where: { $0.profile != nil }) {
            device.identity = described.identity
        }
        device.heardAt = reports.values.compactMap(\.heardAt).max()
        device.formerlyHeardAt = reports.values.compactMap(\.formerlyHeardAt).max()
        device.state = newest.state.flatMap { reports[$0]?.state }
        // Revisions of another channel mean nothing on the one that commands take.
        if newest.state != channel { device.state?.revision = nil }
        device.telemetry = newest.telemetry.flatMap { reports[$0]?.telemetry }
        device.problems = reports.values.reduce(into: used.problems) {
            $0.merge($1.problems) { mine, _ in mine }
        }
        device.ways = DeviceWays(
            all: (order + reports.keys.filter { !order.contains($0) }.sorted()).map { channel in
                DeviceWays.Way(
                    channel: channel, device: identities.id(of: device.id, on: channel),
                    connection: reports[channel]?.connection ?? .unknown)
            }, reason: selection.explanation(of: channel), stateSource: newest.state)
        device.keepHistory(of: former)
        return device
    }
}

/// Whether the link of a channel can be used.
enum LinkUse: Sendable {
    /// It is being made for the first time.
    case unknown
    /// It works.
    case up
    /// It is lost.
    case down
}

extension KnownDevice {
    /// Whether commands can reach the device over its channel.
    fileprivate func way(over link: LinkUse) -> ChannelSelection.Way {
        switch (link, connection) {
        case (.down, _): .down
        case (.unknown, _): .unknown
        case (.up, .offline): .down
        case (.up, .online): .up
        // Its channel may not tell presences; what was heard before the link was lost tells nothing.
        case (.up, .unknown): isHeardOverLink ? .up : .unknown
        }
    }
}

extension ChannelSelection {
    /// Why a channel is used, for people.
    fileprivate func explanation(of channel: ChannelID) -> String {
        switch reason {
        case .best: "\(channel) is the preferred channel that leads to it"
        case .insteadOf(let better): "\(better) does not lead to it at present"
        case .until(let better, _):
            "\(better) leads to it again, and is used once it has for \(Self.patience.components.seconds) s"
        case .noneIsUp: "no channel leads to it at present"
        }
    }
}
