internal import Basics
package import DeviceDomain

/// Who hears what a channel of one home observes: observers of a part of the home, and conversations with a device.
///
/// A listener has an id from the moment at which it is made. The channel begins to deliver to it in its own context,
/// with what is known first; one that has ended meanwhile is left out. Sinks are called in the context in which
/// something is delivered, and without a lock.
package final class ChannelListeners: Sendable {
    /// Names a listener of the channel.
    package struct ID: Hashable, Sendable {
        fileprivate let number: Int
    }

    private enum Listener {
        /// The channel has not begun to deliver.
        case expected
        case observer(HomeScope, ObservationSink)
        case conversation(DeviceID, StreamSource<DeviceObservation>)
    }

    private struct State {
        var listeners: [ID: Listener] = [:]
        var last = 0
    }

    private let channel: ChannelID
    private let home: HomeID
    private let state = Guarded(State())

    package init(of channel: ChannelID, in home: HomeID) {
        self.channel = channel
        self.home = home
    }

    /// - Throws: `cannotExpress` for a home that the channel does not serve.
    package func checkHome(_ home: HomeID) throws(CommunicationError) {
        guard home == self.home else {
            throw .cannotExpress("the channel \(channel) serves the home \(self.home), not \(home)")
        }
    }

    // MARK: Beginning and ending

    /// A listener to which nothing is delivered yet.
    package func expect() -> ID {
        state.withLock { state in
            state.last += 1
            let id = ID(number: state.last)
            state.listeners[id] = .expected
            return id
        }
    }

    /// An observation of the channel's home. Another home never sends anything.
    /// - Parameter begin: has the channel begin in its own context.
    package func observation(of home: HomeID, begin: (ID) -> Void) -> ChannelObservation {
        guard home == self.home else { return ChannelObservation {} }
        let id = expect()
        begin(id)
        return ChannelObservation { self.end(id) }
    }

    /// Begins to deliver to an observer. Nothing may be delivered until this returns.
    /// - Parameter known: what comes first.
    package func begin(
        _ id: ID, observing scope: HomeScope, knowing known: [DeviceUpdate],
        _ sink: @escaping ObservationSink
    ) {
        guard begin(id, .observer(scope, sink)) else { return }
        for update in known { sink(observation(update)) }
    }

    /// Begins to deliver to a conversation. Nothing may be delivered until this returns.
    /// - Parameter known: what comes first, unless the conversation has begun before.
    package func begin(
        _ id: ID, with device: DeviceID, knowing known: [DeviceUpdate],
        _ source: StreamSource<DeviceObservation>
    ) {
        guard begin(id, .conversation(device, source)) else { return }
        for update in known { source.send(observation(update)) }
    }

    private func begin(_ id: ID, _ listener: Listener) -> Bool {
        state.withLock { state in
            guard case .expected = state.listeners[id] else { return false }
            state.listeners[id] = listener
            return true
        }
    }

    /// Ends the delivery to a listener.
    package func end(_ id: ID) { state.withLock { $0.listeners[id] = nil } }

    /// The channel is closed: every conversation's stream ends.
    package func finish() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners
        }
        // Without the lock: the end of a stream ends its listener, which takes it.
        for case .conversation(_, let source) in listeners.values { source.finish() }
    }

    // MARK: Delivering

    /// Sends an update to the device's conversations and observers.
    package func deliver(_ update: DeviceUpdate) {
        let observation = observation(update)
        for listener in state.withLock({ $0.listeners }).values {
            switch listener {
            case .expected: break
            case .observer(let scope, let sink): if scope.wants(update) { sink(observation) }
            case .conversation(let device, let source):
                if device == update.device { source.send(observation) }
            }
        }
    }

    /// Sends to the device's conversations alone what concerns its commands and tells observers nothing.
    package func tell(_ update: DeviceUpdate) {
        let observation = observation(update)
        for case .conversation(update.device, let source) in state.withLock({ $0.listeners }).values
        {
            source.send(observation)
        }
    }

    /// Sends evidence of a command.
    package func deliver(_ evidence: CommandEvidence) {
        deliver(DeviceUpdate(device: evidence.device, content: .evidence(evidence)))
    }

    /// An update with the names of channel and home.
    package func observation(_ update: DeviceUpdate) -> DeviceObservation {
        DeviceObservation(
            channel: channel, home: home, device: update.device, content: update.content)
    }

    // MARK: What is heard

    /// Whether every device of a part is observed.
    package func isObserved(_ scope: HomeScope) -> Bool {
        scope.isCovered(by: parts.observed)
    }

    /// The part of the home that anybody is told of; `nil` if nobody is.
    package var heardScope: HomeScope? {
        let parts = parts
        let first = parts.devices.isEmpty ? nil : HomeScope.devices(parts.devices)
        return parts.observed.reduce(first) { $0?.union($1) ?? $1 }
    }

    private var parts: (observed: [HomeScope], devices: Set<DeviceID>) {
        var observed: [HomeScope] = []
        var devices: Set<DeviceID> = []
        for listener in state.withLock({ $0.listeners }).values {
            switch listener {
            case .expected: break
            case .observer(let scope, _): observed.append(scope)
            case .conversation(let device, _): devices.insert(device)
            }
        }
        return (observed, devices)
    }
}

extension HomeScope {
    /// Whether an observer of the part is told of an update.
    fileprivate func wants(_ update: DeviceUpdate) -> Bool {
        if case .telemetry = update.content, self == .everyDeviceWithoutTelemetry { return false }
        return contains(update.device)
    }
}
