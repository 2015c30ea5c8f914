/// Messages on topics of names that the bridge has not listed yet: after a subscription the retained
/// messages come in any order, and a renamed device speaks before the new list comes. The newest
/// of each topic is kept.
struct HeldMessages: Sendable {
    /// A message that waits for the list.
    struct Held: Sendable {
        let payload: [UInt8]
        let isReplay: Bool
    }

    /// How many topics are kept, and how many bytes in all.
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
