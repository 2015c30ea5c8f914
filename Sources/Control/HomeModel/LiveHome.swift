internal import Basics
public import Connectivity
public import DeviceDomain

/// The live model of a home: every channel updates it, and any thread may read it.
public final class LiveHome: Sendable {
    fileprivate struct State {
        var model: HomeModel
        var links: [ChannelID: LinkState] = [:]
        /// Released readers are removed at the next change or when a reader is added.
        var readers: [WeakReader] = []
    }

    fileprivate struct WeakReader: Sendable {
        weak var reader: ChangeReader?
    }

    private let state: Guarded<State>
    private let now: @Sendable () -> Timestamp
    private let elapsed: @Sendable () -> Duration
    /// Speaks when a device may use another channel, or it is to be looked at another time whether it does.
    public let channelChanges: BoundedStream<Void>
    private let channelSource: StreamSource<Void>

    /// A model of a home of which nothing is known.
    /// - Parameters:
    ///   - model: the empty model.
    ///   - now: the wall clock that timestamps observations.
    ///   - elapsed: a monotonic clock, by which channels prove themselves.
    public init(
        _ model: HomeModel, now: @escaping @Sendable () -> Timestamp,
        elapsed: @escaping @Sendable () -> Duration = { .zero }
    ) {
        state = Guarded(State(model: model))
        self.now = now
        self.elapsed = elapsed
        (channelChanges, channelSource) = BoundedStream.make(.dropOldest(limit: 1))
    }

    /// An empty model of a home with one channel.
    public convenience init(_ home: HomeID, now: @escaping @Sendable () -> Timestamp) {
        self.init(HomeModel(home), now: now)
    }

    /// What is known at this moment.
    public var model: HomeModel { state.withLock { $0.model } }

    /// What is known of one device at this moment.
    public func device(_ id: DeviceID) -> KnownDevice? {
        state.withLock { $0.model.devices[id] }
    }

    /// The last reported state of every channel's link.
    public var links: [ChannelID: LinkState] { state.withLock { $0.links } }

    /// Which ids name one device.
    public var identities: DeviceIdentities { state.withLock { $0.model.identities } }

    /// Applies an observation of a channel.
    public func apply(_ observation: DeviceObservation) {
        let (moment, elapsed) = (now(), elapsed())
        change { $0.model.apply(observation, at: moment, elapsed: elapsed) }
    }

    /// Takes in what the user calls devices and rooms now.
    public func learn(_ labels: HomeLabels) { change { $0.model.learn(labels) } }

    /// What the user calls devices and rooms.
    public var labels: HomeLabels { state.withLock { $0.model.labels } }

    /// Looks again which channels devices use, where that is due.
    public func review() {
        let (moment, elapsed) = (now(), elapsed())
        change { $0.model.review(at: moment, elapsed: elapsed) }
    }

    /// When it is to be looked again, by the monotonic clock; `nil` for never.
    public var nextReview: Duration? { state.withLock { $0.model.nextReview } }

    /// - Parameter news: what is told behind the changes of devices.
    private func change(
        _ body: (inout State) -> [DeviceChange], also news: () -> HomeChange? = { nil }
    ) {
        let mayMove = state.withLock { state in
            let former = state.model.nextReview
            let changes = body(&state)
            state.tell(changes.map(HomeChange.device) + [news()].compactMap(\.self))
            return changes.contains(where: \.isMove) || state.model.nextReview != former
        }
        if mayMove { channelSource.send(()) }
    }

    /// Adds devices of earlier runs.
    public func remember(_ devices: [RememberedDevice]) {
        state.withLock { state in
            for device in devices { state.model.remember(device) }
        }
    }

    /// Applies the state of a channel's link: if it is lost, the reachability of its devices
    /// becomes unknown.
    public func link(of channel: ChannelID, is link: LinkState) {
        let (moment, elapsed) = (now(), elapsed())
        change { state in
            state.links[channel] = link
            switch link {
            case .connected, .limited:
                return state.model.linkMade(of: channel, at: moment, elapsed: elapsed)
            // Being made for the first time: nothing was heard over it yet.
            case .connecting: return []
            case .lost:
                return state.model.linkLost(of: channel, at: moment, elapsed: elapsed)
            }
        } also: {
            .link(channel, link)
        }
    }

    /// The changes of a part of the home, beginning with what is known at this moment.
    public func changes(of scope: HomeScope = .everyDevice) -> HomeChanges {
        HomeChanges(reader: reader(of: scope, keepsAll: false))
    }

    /// The same of every device for a history: each sample and presence is there as each event is, and what the reader
    /// cannot take in time is dropped and counted.
    package func recordableChanges() -> HomeChanges {
        HomeChanges(reader: reader(of: .everyDevice, keepsAll: true))
    }

    /// What is known at this moment, as changes.
    package var presentChanges: [DeviceChange] {
        state.withLock { $0.model.allDevices.flatMap(\.asChanges) }
    }

    private func reader(of scope: HomeScope, keepsAll: Bool) -> ChangeReader {
        state.withLock { state in
            let reader = ChangeReader(scope, keepsAll: keepsAll)
            reader.add(state.present(in: scope))
            state.readers.removeAll { $0.reader == nil }
            state.readers.append(WeakReader(reader: reader))
            return reader
        }
    }

    /// Ends every reader's sequence after its buffered changes.
    public func finish() {
        channelSource.finish()
        for reader in state.withLock({ $0.readers }) { reader.reader?.finish() }
    }
}

extension LiveHome.State {
    /// Passes changes to every reader, in the order in which the model applied them.
    fileprivate mutating func tell(_ changes: [HomeChange]) {
        guard !changes.isEmpty else { return }
        readers.removeAll { entry in
            guard let reader = entry.reader else { return true }
            reader.add(changes)
            return false
        }
    }

    /// What is known of a part of the home and of its links, as changes.
    fileprivate func present(in scope: HomeScope) -> [HomeChange] {
        links.map { HomeChange.link($0, $1) }
            + model.devices(in: scope).flatMap { $0.asChanges.map(HomeChange.device) }
    }
}

extension DeviceChange {
    /// Whether the device uses another channel.
    fileprivate var isMove: Bool { if case .channel = content { true } else { false } }
}

extension KnownDevice {
    fileprivate var asChanges: [DeviceChange] {
        let contents: [DeviceChange.Content?] = [
            profile.map { .description($0) },
            connection == .unknown ? nil : presence.map { .presence($0) },
            state.map { .state($0) },
        ]
        let wrong = problems.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { DeviceChange.Content.problem($0, $1) }
        return (contents.compactMap(\.self) + wrong).map {
            DeviceChange(device: id, channel: channel, content: $0)
        }
    }
}
