/// The newest message on each topic whose name the bridge has not listed yet. Retained messages come in any
/// order after a subscription, and a renamed device publishes before the new list comes.
struct HeldMessages: Sendable {
    /// A message that waits for the list.
    struct Held: Sendable {
        let payload: [UInt8]
        let isReplay: Bool
    }

    /// The most topics, and the most bytes in total.
    static let limit = (topics: 4_096, bytes: 8 << 20)

    private var messages: [FriendlyName: Held] = [:]
    private var bytes = 0

    /// - Returns: whether there was room.
    mutating func hold(_ topic: FriendlyName, _ held: Held) -> Bool {
        let cost = Self.cost(topic, held)
        if let former = messages.removeValue(forKey: topic) { bytes -= Self.cost(topic, former) }
        guard messages.count < Self.limit.topics, bytes + cost <= Self.limit.bytes else {
            return false
        }
        messages[topic] = held
        bytes += cost
        return true
    }

    mutating func take(_ topic: FriendlyName) -> Held? {
        guard let held = messages.removeValue(forKey: topic) else { return nil }
        bytes -= Self.cost(topic, held)
        return held
    }

    private static func cost(_ topic: FriendlyName, _ held: Held) -> Int {
        topic.text.utf8.count + held.payload.count + 64
    }
}
