/// Distinguishes copies of one message from separate messages with equal content, if several filters
/// match a topic.
///
/// A broker may send one copy for all matching filters or one for each (MQTT 5, section 3.3.4). At most one
/// of the filters has a subscription identifier, the tag, and a broker that merges copies puts it on every
/// message. So a tagged and an untagged copy with the same content, close together, are one message. Two
/// untagged copies are one message only if the broker is known to send one per filter and to have these
/// filters; otherwise separate equal messages would be lost.
struct CopyLedger {
    /// A copy, and what is known about its filters.
    struct Copy {
        /// See ``CopyLedger/fingerprint(of:retain:)``.
        var fingerprint: Int
        var isTagged: Bool
        /// The filters that match.
        var filters: Set<UInt32>
        /// The tagged one among them.
        var taggedFilter: UInt32?
        /// How many untagged copies a message has if the broker sends one per filter.
        var untagged: Int
        /// Whether the broker has granted all of the filters.
        var areGranted: Bool
        /// Whether it has granted the tagged one.
        var isTagGranted: Bool
        /// Whether it is certainly a retained message that was sent because of a SUBSCRIBE.
        var isStored: Bool
        /// Whether it can show how the broker sends copies. Retained messages cannot: they are sent for each
        /// filter of a SUBSCRIBE by every broker.
        var isEvidence: Bool
    }

    /// The copies received of one message.
    private struct Entry {
        let first: Copy
        /// Whether the broker was known to have the tagged filter when each of them came.
        let isConclusive: Bool
        var isTaggedSeen = false
        var untaggedSeen = 0

        /// Whether the copy belongs to this message.
        func takes(_ copy: Copy, isCounted: Bool) -> Bool {
            guard first.fingerprint == copy.fingerprint else { return false }
            if copy.isTagged {
                return !isTaggedSeen && untaggedSeen > 0 && (first.isTagGranted || copy.isStored)
            }
            return (isTaggedSeen || isCounted) && untaggedSeen < copy.untagged
        }

        mutating func take(_ copy: Copy) {
            if copy.isTagged { isTaggedSeen = true } else { untaggedSeen += 1 }
        }
    }

    /// The messages received for a set of filters.
    private struct Group {
        var entries: [Entry] = []
        /// The ``CopyLedger/epoch`` of the entries.
        var epoch = 0
    }

    /// Copies that are further apart than this many messages are not matched.
    static let window = 16

    /// Whether the broker is known to send a copy per filter. A pair of copies shows it; a tagged copy
    /// without the others revokes it.
    private(set) var isPerFilter = false
    /// Filters that the broker is known to have because copies came for them, perhaps before the SUBACK.
    private var present: Set<UInt32> = []
    private var groups: [Set<UInt32>: Group] = [:]
    private var epoch = 0

    /// A subscription was added: its messages are no copies of earlier ones.
    mutating func forgetMessages() {
        epoch += 1
    }

    /// A filter was removed. What is known about the way the broker sends copies stays.
    mutating func forget(_ filter: UInt32) {
        groups = [:]
        present.remove(filter)
    }

    /// A hash of what the copies of a message have in common: everything but QoS and identifiers, and the
    /// retain flag only where it differs between messages.
    static func fingerprint(of message: MQTTMessage, retain: Bool) -> Int {
        var hasher = Hasher()
        hasher.combine(message.topic)
        hasher.combine(message.payload)
        hasher.combine(retain)
        hasher.combine(message.properties.correlationData)
        hasher.combine(message.properties.contentType)
        hasher.combine(message.properties.userProperties)
        return hasher.finalize()
    }

    /// Whether this is the first copy of its message.
    mutating func isFirst(_ copy: Copy) -> Bool {
        let isCounted = isCounted(copy)
        guard copy.taggedFilter != nil || isCounted else { return true }
        var group = groups[copy.filters] ?? Group()
        if group.epoch != epoch {
            group.entries = []
            group.epoch = epoch
        }
        defer { groups[copy.filters] = group }
        if copy.isTagged, let filter = copy.taggedFilter { present.insert(filter) }
        let sibling = group.entries.firstIndex { $0.takes(copy, isCounted: isCounted) }
        guard let sibling else {
            begin(with: copy, in: &group)
            return true
        }
        complete(sibling, with: copy, in: &group)
        return false
    }

    /// Whether it is known how many untagged copies a message has. If the broker has the tagged filter, every
    /// message has a tagged copy, and then missing untagged ones do no harm.
    private func isCounted(_ copy: Copy) -> Bool {
        guard let tagged = copy.taggedFilter else {
            return isPerFilter && copy.filters.isSubset(of: present)
        }
        return isPerFilter && present.contains(tagged)
    }

    private mutating func begin(with copy: Copy, in group: inout Group) {
        let wasTagAlone = group.entries.contains { $0.isTaggedSeen && $0.untaggedSeen == 0 }
        if copy.isTagged, copy.isEvidence, wasTagAlone { isPerFilter = false }
        if group.entries.count >= Self.window { group.entries.removeFirst() }
        var entry = Entry(
            first: copy, isConclusive: copy.taggedFilter.map(present.contains) ?? false)
        entry.take(copy)
        group.entries.append(entry)
    }

    private mutating func complete(_ position: Int, with copy: Copy, in group: inout Group) {
        var entry = group.entries.remove(at: position)
        let isProof = copy.isEvidence && (entry.isConclusive || !copy.isTagged)
        entry.take(copy)
        if isProof, !isPerFilter {
            isPerFilter = true
            // Entries recorded so far may be copies that were not recognised.
            forgetMessages()
            group.entries = []
            group.epoch = epoch
        }
        let needsTag = copy.taggedFilter != nil && !entry.isTaggedSeen
        if needsTag || entry.untaggedSeen < copy.untagged {
            group.entries.insert(entry, at: min(position, group.entries.count))
        } else if entry.first.areGranted {
            // Earlier entries may be of two messages with equal content.
            present.formUnion(copy.filters)
        }
    }
}
