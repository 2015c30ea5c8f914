/// Tells copies of one message from messages that are alike, where several filters match a topic.
///
/// MQTT leaves it to the broker whether it sends one copy for all matching filters or one for each
/// (MQTT 5, section 3.3.4). Of these filters exactly one is tagged with an identifier: so a copy with the
/// tag and one without it, of the same content and close together, are one message. Two copies without a
/// tag are so only for filters where that has been seen before. Retained messages, which come with every
/// SUBSCRIBE, for each of its filters, do not show it.
struct CopyLedger {
    /// Copies that came for one message.
    private struct Entry {
        var fingerprint: Int
        var isTaggedSeen: Bool
        var untaggedSeen: Int
    }

    private struct Group {
        /// Whether the broker sends a copy for each filter.
        var hasCopies = false
        var entries: [Entry] = []
        /// The ``CopyLedger/epoch`` of the entries.
        var epoch = 0
    }

    /// Messages further apart than so many are not the same.
    static let window = 16

    private var groups: [Set<UInt32>: Group] = [:]
    private var epoch = 0

    /// There is a new subscription: what comes for it was not sent before.
    mutating func forgetMessages() {
        epoch += 1
    }

    /// What the copies of a message have in common: all but QoS and identifiers.
    static func fingerprint(of message: MQTTMessage) -> Int {
        var hasher = Hasher()
        hasher.combine(message.topic)
        hasher.combine(message.payload)
        hasher.combine(message.retain)
        hasher.combine(message.properties.correlationData)
        hasher.combine(message.properties.contentType)
        hasher.combine(message.properties.userProperties)
        return hasher.finalize()
    }

    /// Whether no copy of the message came before this one. `filters` are those that match, of which
    /// `untagged` have no identifier.
    mutating func isFirst(
        _ fingerprint: Int, isTagged: Bool, isRetained: Bool, filters: Set<UInt32>, untagged: Int
    ) -> Bool {
        var group = groups[filters] ?? Group()
        if group.epoch != epoch {
            group.entries = []
            group.epoch = epoch
        }
        defer { groups[filters] = group }
        let sibling = group.entries.firstIndex { entry in
            guard entry.fingerprint == fingerprint else { return false }
            if isTagged { return !entry.isTaggedSeen && entry.untaggedSeen > 0 }
            return (entry.isTaggedSeen || group.hasCopies) && entry.untaggedSeen < untagged
        }
        guard let sibling else {
            if group.entries.count >= Self.window { group.entries.removeFirst() }
            group.entries.append(
                Entry(
                    fingerprint: fingerprint, isTaggedSeen: isTagged,
                    untaggedSeen: isTagged ? 0 : 1))
            return true
        }
        var entry = group.entries[sibling]
        if isTagged { entry.isTaggedSeen = true } else { entry.untaggedSeen += 1 }
        let isComplete = entry.isTaggedSeen && entry.untaggedSeen >= untagged
        keep(entry, at: sibling, of: &group, isComplete: isComplete, isProof: !isRetained)
        return false
    }

    private func keep(
        _ entry: Entry, at position: Int, of group: inout Group, isComplete: Bool, isProof: Bool
    ) {
        if group.hasCopies || !isProof {
            group.entries[position] = entry
            if isComplete { group.entries.remove(at: position) }
        } else {
            // What was kept until now may be copies that were not known to be some.
            group.hasCopies = true
            group.entries = isComplete ? [] : [entry]
        }
    }
}
