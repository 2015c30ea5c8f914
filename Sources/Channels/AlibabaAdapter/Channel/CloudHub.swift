internal import Alink
internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What is known of a platform's devices and of commands to them, and who is told of it.
///
/// Observers and conversations are called under the lock, so that each hears everything once and in order; they
/// return at once.
final class CloudHub: Sendable {
    private struct Observer {
        let scope: HomeScope
        let sink: ObservationSink
    }

    private struct Conversation {
        let device: DeviceID
        let source: StreamSource<DeviceObservation>
    }

    private struct State {
        var home: CloudHome
        var products: [ProductKey: ThingProduct] = [:]
        var commands = CloudCommands()
        var outcomes: [CommandID: AnswerSlot<Bool>] = [:]
        var observers: [Int: Observer] = [:]
        var conversations: [Int: Conversation] = [:]
        var last = 0
    }

    private let channel: ChannelID
    private let homeID: HomeID
    private let state: Guarded<State>

    init(_ channel: ChannelID, _ home: HomeID) {
        self.channel = channel
        homeID = home
        state = Guarded(State(home: CloudHome(home)))
    }

    // MARK: What is known

    /// Whether every page was read once.
    var isListed: Bool { state.withLock { $0.home.isListed } }

    /// A device that is listed.
    func device(_ id: DeviceID) -> CloudDevice? { state.withLock { $0.home.devices[id] } }

    /// The devices of a part of the home that have ever connected or whose state is not known.
    func devices(in scope: HomeScope) -> [CloudDevice] {
        state.withLock { state in
            state.home.devices.values.filter { scope.contains($0.profile.id) }
                .sorted { $0.profile.id < $1.profile.id }
        }
    }

    /// The part of the home that anybody is told of; `nil` if nobody is.
    var observedScope: HomeScope? {
        state.withLock { state in
            let talks = Set(state.conversations.values.map(\.device))
            let scopes = state.observers.values.map(\.scope)
            let first = talks.isEmpty ? nil : HomeScope.devices(talks)
            return scopes.reduce(first) { $0?.union($1) ?? $1 }
        }
    }

    /// Whether every device of a part is observed.
    func isObserved(_ scope: HomeScope) -> Bool {
        state.withLock { scope.isCovered(by: $0.observers.values.map(\.scope)) }
    }

    /// How much could not be used.
    var counters: CloudCounters { state.withLock { $0.home.counters } }

    // MARK: What is learned

    /// Takes in the list of all devices.
    func list(
        _ listings: [ListedDevice], unusable: Int, of products: [ProductKey: ThingProduct],
        at time: Timestamp
    ) {
        state.withLock { state in
            state.products = products
            state.home.countUnusableEntries(unusable)
            deliver(state.home.list(listings, of: products, at: time), &state)
        }
    }

    /// Takes in properties of a device.
    func report(_ values: [String: SubscribedMessage.TimedValue], of device: DeviceID) {
        state.withLock { state in
            let (taken, updates) = state.home.report(values, of: device)
            deliver(updates, &state)
            // After the state, so that evidence follows the state that proves it.
            tell(state.commands.received(taken, of: device), &state)
        }
    }

    /// Takes in a message of the subscription.
    /// - Returns: whether the list of devices must be read again.
    func receive(_ message: RawSubscribedMessage, at now: Timestamp) -> Bool {
        state.withLock { state in
            guard state.home.isNew(message: message.messageID) else { return false }
            let generated = message.generated ?? now
            guard
                let read = SubscribedMessage(
                    topic: message.topic, body: message.body, generated: generated)
            else {
                state.home.countUnusableMessage()
                return false
            }
            return receive(read, at: generated, &state)
        }
    }

    private func receive(
        _ message: SubscribedMessage, at time: Timestamp, _ state: inout State
    ) -> Bool {
        switch message {
        case .properties(let name, let values):
            let (taken, updates) = state.home.report(values, of: name.deviceID)
            deliver(updates, &state)
            tell(state.commands.received(taken, of: name.deviceID), &state)
        case .event(let name, let identifier, let detail, let at):
            let update = state.home.event(identifier, detail, of: name.deviceID, at: at)
            if let update { deliver([update], &state) }
        case .status(let name, let isOnline, let at):
            let status: PresenceReport.Status = isOnline ? .online : .offline
            deliver(state.home.presence(status, of: name.deviceID, at: at), &state)
        case .lifecycle(let name, let action):
            if action == "disable" {
                deliver(state.home.presence(.offline, of: name.deviceID, at: time), &state)
            }
            return state.products[name.product] != nil
        case .reply(let name, let messageID, let code, let words, let data):
            let reply = CloudReply(
                device: name.deviceID, messageID: messageID, code: code,
                message: "\(ForeignText(words, hiding: []))", data: data)
            tell(state.commands.received(reply), &state)
        }
        return false
    }

    // MARK: Commands

    /// A command is about to be sent.
    /// - Returns: resolves with whether its outcome was learned.
    func begin(_ command: CloudCommand) -> AnswerSlot<Bool> {
        state.withLock { state in
            state.commands.begin(command)
            let outcome = AnswerSlot<Bool>()
            state.outcomes[command.id] = outcome
            return outcome
        }
    }

    /// A command whose outcome is not known yet.
    func openCommand(_ id: CommandID) -> CloudCommand? { state.withLock { $0.commands[id] } }

    /// The platform has taken a command on.
    func taken(_ id: CommandID, messageID: String?) {
        state.withLock { tell($0.commands.taken(id, messageID: messageID), &$0) }
    }

    /// The platform has listed calls of the service that a command calls.
    func recorded(_ calls: [RecordedCall], of id: CommandID) {
        state.withLock { tell($0.commands.received(calls, of: id), &$0) }
    }

    /// The outcome of a command is known, or is not looked for any more.
    func end(_ id: CommandID, with evidence: [CommandEvidence] = []) {
        state.withLock { state in
            state.commands.end(id)
            tell(evidence, &state)
            state.outcomes.removeValue(forKey: id)?.resolve(!evidence.isEmpty)
        }
    }

    // MARK: Listeners

    /// Tells an observer what is known of a part, and from now on what changes.
    /// - Returns: names the observer.
    func observe(_ scope: HomeScope, _ sink: @escaping ObservationSink) -> Int {
        state.withLock { state in
            for update in state.home.snapshot(of: scope) { sink(observation(update)) }
            state.last += 1
            state.observers[state.last] = Observer(scope: scope, sink: sink)
            return state.last
        }
    }

    /// Ends an observer.
    func endObserver(_ id: Int) { state.withLock { $0.observers[id] = nil } }

    /// Tells a conversation what is known of its device, and from now on what changes.
    func join(_ device: DeviceID, _ id: Int, _ source: StreamSource<DeviceObservation>) {
        state.withLock { state in
            state.conversations[id] = Conversation(device: device, source: source)
            for update in state.home.snapshot(of: .device(device)) {
                source.send(observation(update))
            }
            // Without a known presence commands may be tried.
            if state.home.devices[device]?.presence == nil {
                source.send(observation(DeviceUpdate(device: device, content: .cleared(.presence))))
            }
        }
    }

    /// Names a conversation that is about to join.
    func makeConversationID() -> Int {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Ends a conversation.
    func leave(_ id: Int) { state.withLock { $0.conversations[id] = nil } }

    /// Ends every listener and command.
    func close() {
        let (sources, outcomes) = state.withLock { state in
            defer {
                state.observers = [:]
                state.conversations = [:]
                state.outcomes = [:]
                state.commands = CloudCommands()
            }
            return (state.conversations.values.map(\.source), Array(state.outcomes.values))
        }
        // Outside the lock: the end of a stream takes it.
        for source in sources { source.finish() }
        for outcome in outcomes { outcome.resolve(false) }
    }

    private func tell(_ evidence: [CommandEvidence], _ state: inout State) {
        deliver(evidence.map { DeviceUpdate(device: $0.device, content: .evidence($0)) }, &state)
        for final in evidence where final.isFinal {
            state.outcomes.removeValue(forKey: final.id)?.resolve(true)
        }
    }

    private func deliver(_ updates: [DeviceUpdate], _ state: inout State) {
        for update in updates {
            let observation = observation(update)
            for conversation in state.conversations.values
            where conversation.device == update.device {
                conversation.source.send(observation)
            }
            for observer in state.observers.values where observer.scope.contains(update.device) {
                observer.sink(observation)
            }
        }
    }

    private func observation(_ update: DeviceUpdate) -> DeviceObservation {
        DeviceObservation(
            channel: channel, home: homeID, device: update.device, content: update.content)
    }
}
