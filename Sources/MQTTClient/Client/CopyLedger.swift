/// Tells copies of one message from messages that are alike, where several filters match a topic.
///
/// MQTT leaves it to the broker whether it sends one copy for all matching filters or one for each
/// (MQTT 5, section 3.3.4). Of these filters at most one is tagged with an identifier, and a broker that
/// merges copies puts the tag on every message. So a copy with the tag and one without it, of the same
/// content and close together, are one message. Copies without a tag are so only on a broker that is known
/// to send one for each filter, and to have these filters: else equal messages would be lost.
struct CopyLedger {
    /// A copy, and what may come with it.
    struct Copy {
        /// See ``CopyLedger/fingerprint(of:retain:)``.
        var fingerprint: Int
        var isTagged: Bool
        /// The filters that match.
        var filters: Set<UInt32>
        /// The one of them that is tagged.
        var taggedFilter: UInt32?
        /// How many copies of a message have no tag, if there is one for each filter.
        var untagged: Int
        /// Whether the broker has said that it has all of the filters.
        var areGranted: Bool
        /// Whether it has said so of the tagged one.
        var isTagGranted: Bool
        /// Whether it came with a SUBSCRIBE for sure, so that it is no other message.
        var isStored: Bool
        /// Whether it may show how the broker sends. Retained messages do not, which come with every
        /// SUBSCRIBE, for each of its filters.
        var isEvidence: Bool
    }

    /// Copies that came for one message.
    private struct Entry {
        let first: Copy
        /// Whether all of them came when the broker was known to have the tagged filter.
        let isConclusive: Bool
        var isTaggedSeen = false
        var untaggedSeen = 0

        /// Whether the copy is one more of the message.
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

    /// What came for a set of filters.
    private struct Group {
        var entries: [Entry] = []
        /// The ``CopyLedger/epoch`` of the entries.
        var epoch = 0
    }

    /// Messages further apart than so many are not the same.
    static let window = 16

    /// Whether the broker is known to send a copy for each filter. A pair of copies shows it, and tagged
    /// copies that come alone call it in question again.
    private(set) var isPerFilter = false
    /// Filters that the broker is known to have, by the copies that came for them: SUBSCRIBE may be under way.
    private var present: Set<UInt32> = []
    private var groups: [Set<UInt32>: Group] = [:]
    private var epoch = 0

    /// There is a new subscription: what comes for it was not sent before.
    mutating func forgetMessages() {
        epoch += 1
    }

    /// A filter is gone. How the broker sends holds on.
    mutating func forget(_ filter: UInt32) {
        groups = [:]
        present.remove(filter)
    }

    /// What the copies of a message have in common: all but QoS and identifiers, and the retain flag as far as
    /// it tells messages apart.
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

    /// Whether no copy of the message came before this one.
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

    /// Whether it is known how many copies without a tag a message has. No message lacks the tag of a filter
    /// that the broker has: with it, too few of the others do no harm.
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
            // What was kept until now may be copies that were not known to be some.
            forgetMessages()
            group.entries = []
            group.epoch = epoch
        }
        let needsTag = copy.taggedFilter != nil && !entry.isTaggedSeen
        if needsTag || entry.untaggedSeen < copy.untagged {
            group.entries.insert(entry, at: min(position, group.entries.count))
        } else if entry.first.areGranted {
            // Before, it may have been copies of two messages that are alike.
            present.formUnion(copy.filters)
        }
    }
}
