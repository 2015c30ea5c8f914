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

    /// An empty model of a home.
    /// - Parameter now: the wall clock that timestamps observations.
    public init(_ home: HomeID, now: @escaping @Sendable () -> Timestamp) {
        state = Guarded(State(model: HomeModel(home)))
        self.now = now
    }

    /// What is known at this moment.
    public var model: HomeModel { state.withLock { $0.model } }

    /// What is known of one device at this moment.
    public func device(_ id: DeviceID) -> KnownDevice? {
        state.withLock { $0.model.devices[id] }
    }

    /// The last reported state of every channel's link.
    public var links: [ChannelID: LinkState] { state.withLock { $0.links } }

    /// Applies an observation of a channel.
    public func apply(_ observation: DeviceObservation) {
        let moment = now()
        state.withLock { state in
            let changes = state.model.apply(observation, at: moment)
            state.tell(changes.map(HomeChange.device))
        }
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
        let moment = now()
        state.withLock { state in
            state.links[channel] = link
            let doubts = link.isConnected ? [] : state.model.linkLost(of: channel, at: moment)
            state.tell(doubts.map(HomeChange.device) + [.link(channel, link)])
        }
    }

    /// The changes of a part of the home, beginning with what is known at this moment.
    public func changes(of scope: HomeScope = .everyDevice) -> HomeChanges {
        let reader = state.withLock { state in
            let reader = ChangeReader(scope)
            reader.add(state.present)
            state.readers.removeAll { $0.reader == nil }
            state.readers.append(WeakReader(reader: reader))
            return reader
        }
        return HomeChanges(reader: reader)
    }

    /// Ends every reader's sequence after its buffered changes.
    public func finish() {
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

    /// What is known, as changes.
    fileprivate var present: [HomeChange] {
        links.map { HomeChange.link($0, $1) }
            + model.allDevices.flatMap { $0.asChanges.map(HomeChange.device) }
    }
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
