/// The topics on which a client receives responses. One subscription serves all requests of a topic, and
/// lasts until the client is closed.
struct ResponseSubscriptions {
    /// What the caller must do.
    enum Action {
        /// The topic is subscribed.
        case proceed
        /// A SUBSCRIBE is already under way; the waiter is stored.
        case wait
        /// Subscribe, and report ``finish(_:isGranted:)``; the waiter is stored.
        case subscribe
    }

    private enum Entry {
        case asked(waiters: [UInt64])
        case granted
    }

    private var entries: [MQTTTopic: Entry] = [:]

    /// A request needs responses on the topic.
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

    /// The SUBSCRIBE was answered or failed. Returns the waiters.
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
