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
    private struct State {
        var home: CloudHome
        var products: [ProductKey: ThingProduct] = [:]
        var commands = CloudCommands()
        var outcomes: [CommandID: AnswerSlot<Bool>] = [:]
    }

    private let listeners: ChannelListeners
    private let state: Guarded<State>

    init(_ home: HomeID, telling listeners: ChannelListeners) {
        self.listeners = listeners
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
            deliver(state.home.list(listings, of: products, at: time))
        }
    }

    /// Calls do not work.
    func linkLost() { state.withLock { $0.home.linkLost() } }

    /// Takes in properties of a device.
    func report(_ values: [String: SubscribedMessage.TimedValue], of device: DeviceID) {
        state.withLock { state in
            let (taken, updates) = state.home.report(values, of: device)
            deliver(updates)
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
            deliver(updates)
            tell(state.commands.received(taken, of: name.deviceID), &state)
        case .event(let name, let identifier, let detail, let at):
            let update = state.home.event(identifier, detail, of: name.deviceID, at: at)
            if let update { deliver([update]) }
        case .status(let name, let isOnline, let at):
            let status: PresenceReport.Status = isOnline ? .online : .offline
            deliver(state.home.presence(status, of: name.deviceID, at: at))
        case .lifecycle(let name, let action):
            if action == "disable" {
                deliver(state.home.presence(.offline, of: name.deviceID, at: time))
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
    func observe(_ scope: HomeScope, _ id: ChannelListeners.ID, _ sink: @escaping ObservationSink) {
        state.withLock { state in
            listeners.begin(id, observing: scope, knowing: state.home.snapshot(of: scope), sink)
        }
    }

    /// Tells a conversation what is known of its device, and from now on what changes.
    func join(
        _ device: DeviceID, _ id: ChannelListeners.ID, _ source: StreamSource<DeviceObservation>
    ) {
        state.withLock { state in
            var known = state.home.snapshot(of: .device(device))
            if state.home.devices[device]?.presence == nil {
                known.append(.unknownPresence(of: device))
            }
            listeners.begin(id, with: device, knowing: known, source)
        }
    }

    /// Ends every command.
    func close() {
        let outcomes = state.withLock { state in
            defer {
                state.outcomes = [:]
                state.commands = CloudCommands()
            }
            return Array(state.outcomes.values)
        }
        for outcome in outcomes { outcome.resolve(false) }
    }

    private func tell(_ evidence: [CommandEvidence], _ state: inout State) {
        for evidence in evidence {
            listeners.deliver(evidence)
            if evidence.isFinal { state.outcomes.removeValue(forKey: evidence.id)?.resolve(true) }
        }
    }

    private func deliver(_ updates: [DeviceUpdate]) {
        for update in updates { listeners.deliver(update) }
    }
}
