/// Finds the subscriptions that a message goes to. A value type; `Target` is what the owner delivers to.
///
/// Each filter has a number. It is sent in SUBSCRIBE as Subscription Identifier and comes back with the
/// messages, so that one look-up finds their subscriptions. The wrapped library disconnects if a message
/// has two identifiers. So of several filters that can match one topic, at most one is sent with its
/// number. Messages for these filters are matched by topic, and ``CopyLedger`` distinguishes copies of one
/// message from separate messages.
struct SubscriptionRouter<Target> {
    private struct Subscriber {
        var number: UInt64
        var target: Target
        var request: MQTTSubscriptionRequest
    }

    private struct Route {
        /// The filter with the options of its latest SUBSCRIBE.
        var request: MQTTSubscriptionRequest
        /// Whether its identifier is sent.
        let isTagged: Bool
        /// How many other filters share a topic with this one.
        var neighbours: Int
        /// Whether the broker has granted the filter.
        var isGranted = false
        var subscribers: [Subscriber] = []

        var isShared: Bool { request.filter.isShared }
    }

    /// Whether the present broker returns identifiers.
    var usesIdentifiers = false
    private var routes: [UInt32: Route] = [:]
    private var identifiers: [MQTTTopicFilter: UInt32] = [:]
    /// The identifiers, by the levels of their filters.
    private var tree = TopicFilterTree<UInt32>()
    private var nextIdentifier: UInt32
    private let lastIdentifier: UInt32
    private var copies = CopyLedger()

    /// Identifiers are assigned in order, and start again from 1 after the last one.
    init(
        firstIdentifier: UInt32 = 1,
        lastIdentifier: UInt32 = MQTTSubscriptionRequest.identifiers.upperBound
    ) {
        nextIdentifier = firstIdentifier
        self.lastIdentifier = lastIdentifier
    }

    /// The identifier to send with a filter; nil for none.
    func identifier(for filter: MQTTTopicFilter) -> UInt32? {
        guard usesIdentifiers, let identifier = identifiers[filter],
            routes[identifier]?.isTagged == true
        else { return nil }
        return identifier
    }

    /// A new connection: what is known about copies no longer holds, and the broker may have no filter.
    mutating func connected(usesIdentifiers: Bool) {
        self.usesIdentifiers = usesIdentifiers
        copies = CopyLedger()
        for identifier in routes.keys { routes[identifier]?.isGranted = false }
    }

    // MARK: Subscriptions

    /// Adds a subscription with its requests.
    mutating func add(_ number: UInt64, _ target: Target, _ requests: [MQTTSubscriptionRequest]) {
        copies.forgetMessages()
        for request in requests {
            let identifier = identifiers[request.filter] ?? makeRoute(for: request)
            guard routes[identifier]?.subscribers.contains(where: { $0.number == number }) == false
            else { continue }
            routes[identifier]?.subscribers.append(
                Subscriber(number: number, target: target, request: request))
            _ = asked(for: request)
        }
    }

    /// The request to send to the broker now, which is recorded.
    mutating func asked(for request: MQTTSubscriptionRequest) -> MQTTSubscriptionRequest {
        var asked = merged(request)
        if let identifier = identifiers[request.filter] { routes[identifier]?.request = asked }
        asked.identifier = identifier(for: request.filter)
        return asked
    }

    /// The broker has granted these filters.
    mutating func granted(_ filters: some Sequence<MQTTTopicFilter>) {
        for filter in filters {
            if let identifier = identifiers[filter] { routes[identifier]?.isGranted = true }
        }
    }

    /// The request to send to the broker. It keeps one subscription per filter, with the options of the
    /// latest SUBSCRIBE, so the options of all subscriptions to the filter are combined.
    func merged(_ request: MQTTSubscriptionRequest) -> MQTTSubscriptionRequest {
        var merged = request
        guard let identifier = identifiers[request.filter], let route = routes[identifier] else {
            return merged
        }
        for other in route.subscribers.map(\.request) {
            merged.qos = max(merged.qos, other.qos)
            merged.noLocal = merged.noLocal && other.noLocal
            merged.retainAsPublished = merged.retainAsPublished || other.retainAsPublished
        }
        return merged
    }

    /// Removes a subscription; returns the filters that no other one has.
    mutating func remove(
        _ number: UInt64, _ requests: [MQTTSubscriptionRequest]
    ) -> [MQTTTopicFilter] {
        var orphans: [MQTTTopicFilter] = []
        for request in requests {
            guard let identifier = identifiers[request.filter] else { continue }
            routes[identifier]?.subscribers.removeAll { $0.number == number }
            guard routes[identifier]?.subscribers.isEmpty == true else { continue }
            removeRoute(identifier)
            orphans.append(request.filter)
        }
        return orphans
    }

    mutating func removeAll() {
        routes = [:]
        identifiers = [:]
        tree = TopicFilterTree()
    }

    private mutating func makeRoute(for request: MQTTSubscriptionRequest) -> UInt32 {
        let filter = request.filter
        let neighbours = tree.values(overlapping: filter)
        for neighbour in neighbours { routes[neighbour]?.neighbours += 1 }
        let identifier = takeIdentifier()
        routes[identifier] = Route(
            request: request,
            isTagged: !neighbours.contains { routes[$0]?.isTagged ?? false },
            neighbours: neighbours.count)
        identifiers[filter] = identifier
        tree.insert(identifier, under: filter)
        return identifier
    }

    private mutating func removeRoute(_ identifier: UInt32) {
        guard let filter = routes.removeValue(forKey: identifier)?.request.filter else {
            return
        }
        identifiers[filter] = nil
        copies.forget(identifier)
        tree.remove(identifier, under: filter)
        for neighbour in tree.values(overlapping: filter) { routes[neighbour]?.neighbours -= 1 }
    }

    /// The next free identifier, cyclically.
    private mutating func takeIdentifier() -> UInt32 {
        while routes[nextIdentifier] != nil { advanceIdentifier() }
        defer { advanceIdentifier() }
        return nextIdentifier
    }

    private mutating func advanceIdentifier() {
        nextIdentifier = nextIdentifier < lastIdentifier ? nextIdentifier + 1 : 1
    }

    // MARK: Messages

    /// Calls `body` once for each subscription that gets the message. Returns false if there is none.
    @discardableResult
    mutating func forEachRecipient(
        of message: MQTTMessage, _ body: (UInt64, Target) -> Void
    ) -> Bool {
        guard usesIdentifiers, let tag = message.properties.firstSubscriptionIdentifier,
            let route = routes[tag]
        else {
            let matched = tree.values(for: message.topic)
            deliver(message, tag: nil, to: matched, body)
            return !matched.isEmpty
        }
        guard route.neighbours > 0 else {
            for subscriber in route.subscribers { body(subscriber.number, subscriber.target) }
            return true
        }
        let others = tree.values(for: message.topic).filter { $0 != tag }
        deliver(message, tag: tag, to: [tag] + others, body)
        return true
    }

    private mutating func deliver(
        _ message: MQTTMessage, tag: UInt32?, to matched: [UInt32], _ body: (UInt64, Target) -> Void
    ) {
        let addressees = addressees(of: message, tag: tag, among: matched)
        let isNew = isFirstCopy(message, tag: tag, of: addressees)
        var served: Set<UInt64> = []
        for identifier in addressees {
            guard let route = routes[identifier], isNew || route.isShared,
                !route.isShared || belongs(tag, to: identifier, route)
            else { continue }
            for subscriber in route.subscribers where served.insert(subscriber.number).inserted {
                body(subscriber.number, subscriber.target)
            }
        }
    }

    /// A shared subscription gets only the messages that the broker chose for it.
    private func belongs(_ tag: UInt32?, to identifier: UInt32, _ route: Route) -> Bool {
        guard usesIdentifiers else { return true }
        return route.isTagged ? tag == identifier : tag == nil
    }

    /// The filters that a copy may have been sent for. If some of them have `noLocal`, this client's own
    /// messages must not reach them because of the others.
    private func addressees(
        of message: MQTTMessage, tag: UInt32?, among matched: [UInt32]
    ) -> [UInt32] {
        // An identifier of a removed filter is ignored.
        guard usesIdentifiers, matched.count > 1,
            tag == message.properties.firstSubscriptionIdentifier,
            !areAlike(matched, in: { $0.noLocal })
        else { return matched }
        return matched.filter { identifier in
            guard let route = routes[identifier], route.isTagged != (tag != nil) else {
                return true
            }
            // Every message for a tagged filter has its tag, also if the broker merges copies.
            return !copies.isPerFilter && !(route.isTagged && route.request.noLocal)
        }
    }

    private mutating func isFirstCopy(
        _ message: MQTTMessage, tag: UInt32?, of filters: [UInt32]
    ) -> Bool {
        // An identifier of a removed filter says nothing about other copies.
        guard usesIdentifiers, tag == message.properties.firstSubscriptionIdentifier,
            filters.count > 1, areCountable(filters)
        else { return true }
        let tagged = filters.first { routes[$0]?.isTagged ?? false }
        let isFlagAlike = areAlike(filters) { $0.retainAsPublished }
        let isStored = isStored(message, tag: tag, for: filters)
        return copies.isFirst(
            CopyLedger.Copy(
                fingerprint: CopyLedger.fingerprint(
                    of: message, retain: isFlagAlike ? message.retain : isStored),
                isTagged: tag != nil, filters: Set(filters), taggedFilter: tagged,
                untagged: filters.count - (tagged == nil ? 0 : 1),
                areGranted: filters.allSatisfy(isGranted),
                isTagGranted: tagged.map(isGranted) ?? false, isStored: isStored,
                // A broker that merges copies may still send separate ones for filters with other options.
                isEvidence: !message.retain && isFlagAlike && areAlike(filters) { $0.qos }
                    && !filters.contains { routes[$0]?.isShared ?? false }))
    }

    private func isGranted(_ identifier: UInt32) -> Bool {
        routes[identifier]?.isGranted ?? false
    }

    /// Whether the retain flag shows that the message was stored and sent because of a SUBSCRIBE: for live
    /// messages a filter without retainAsPublished gets no retain flag.
    private func isStored(_ message: MQTTMessage, tag: UInt32?, for filters: [UInt32]) -> Bool {
        message.retain
            && filters.compactMap { routes[$0] }.filter { $0.isTagged == (tag != nil) }
                .allSatisfy { !$0.request.retainAsPublished }
    }

    /// Whether it is known how many copies a message may have. `noLocal` may leave out the copy for one filter
    /// only, and a shared subscription gets only some messages. The tag of an unshared filter comes with
    /// every message and so identifies its copies; that of a shared one does so only for a single filter.
    private func areCountable(_ filters: [UInt32]) -> Bool {
        guard areAlike(filters, in: { $0.noLocal }) else { return false }
        let matched = filters.compactMap { routes[$0] }
        guard matched.contains(where: \.isShared) else { return true }
        guard let tagged = matched.first(where: \.isTagged) else { return false }
        return !tagged.isShared || matched.count == 2
    }

    private func areAlike<Option: Equatable>(
        _ filters: [UInt32], in option: (MQTTSubscriptionRequest) -> Option
    ) -> Bool {
        let first = filters.first.flatMap { routes[$0]?.request }.map(option)
        return filters.allSatisfy { routes[$0].map { option($0.request) } == first }
    }
}
