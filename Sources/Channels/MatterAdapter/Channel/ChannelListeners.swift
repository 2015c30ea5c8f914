internal import Connectivity
internal import DeviceDomain

/// Who hears what a channel observes, and the changes of its link.
struct ChannelListeners {
    private struct Observer {
        let scope: HomeScope
        let sink: ObservationSink
    }

    private struct Conversation {
        let device: DeviceID
        let source: StreamSource<DeviceObservation>
    }

    private var observers: [Int: Observer] = [:]
    private var conversations: [Int: Conversation] = [:]
    private var links: [StreamSource<LinkState>] = []

    /// The parts of the home that are observed.
    var scopes: [HomeScope] { observers.values.map(\.scope) }

    /// Whether anybody needs the link to be repaired.
    var isEmpty: Bool { observers.isEmpty && conversations.isEmpty }

    mutating func add(_ id: Int, _ scope: HomeScope, _ sink: @escaping ObservationSink) {
        observers[id] = Observer(scope: scope, sink: sink)
    }

    /// - Returns: whether it is new.
    mutating func add(
        _ id: Int, _ device: DeviceID, _ source: StreamSource<DeviceObservation>
    ) -> Bool {
        conversations.updateValue(Conversation(device: device, source: source), forKey: id) == nil
    }

    mutating func add(_ source: StreamSource<LinkState>) { links.append(source) }

    mutating func remove(_ id: Int) {
        observers[id] = nil
        conversations[id] = nil
    }

    /// Hands an observation to the conversations of its device and to its observers.
    func deliver(_ observation: DeviceObservation) {
        for conversation in conversations.values where conversation.device == observation.device {
            conversation.source.send(observation)
        }
        for observer in observers.values where observer.scope.contains(observation.device) {
            observer.sink(observation)
        }
    }

    /// The link has changed.
    mutating func announce(_ state: LinkState) { links.removeAll { !$0.send(state) } }

    /// The channel is closed: every stream ends.
    mutating func finish() {
        for conversation in conversations.values { conversation.source.finish() }
        for link in links { link.finish() }
        observers = [:]
        conversations = [:]
        links = []
    }
}
