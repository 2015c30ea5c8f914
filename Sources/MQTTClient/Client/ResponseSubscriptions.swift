/// The topics on which a client awaits answers. One subscription serves all requests of a topic, and
/// lasts as long as the connection is wanted.
struct ResponseSubscriptions {
    /// What the caller must do.
    enum Action {
        /// The broker delivers answers already.
        case proceed
        /// Somebody else has asked the broker; the waiter is kept.
        case wait
        /// Ask the broker, and report ``finish(_:isGranted:)``; the waiter is kept.
        case subscribe
    }

    private enum Entry {
        case asked(waiters: [UInt64])
        case granted
    }

    private var entries: [MQTTTopic: Entry] = [:]

    /// A request wants answers on the topic.
    mutating func await(_ topic: MQTTTopic, for number: UInt64) -> Action {
        switch entries[topic] {
        case .granted: return .proceed
        case .asked(let waiters):
            entries[topic] = .asked(waiters: waiters + [number])
            return .wait
        case nil:
            entries[topic] = .asked(waiters: [number])
            return .subscribe
        }
    }

    /// The broker has answered, or cannot. Returns who waited.
    mutating func finish(_ topic: MQTTTopic, isGranted: Bool) -> [UInt64] {
        guard case .asked(let waiters) = entries[topic] else { return [] }
        entries[topic] = isGranted ? .granted : nil
        return waiters
    }

    /// The subscription has ended.
    mutating func remove(_ topic: MQTTTopic) {
        entries[topic] = nil
    }
}
