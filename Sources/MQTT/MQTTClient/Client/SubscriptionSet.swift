/// The filters that the subscriptions of a client want, what the broker has granted of them, and which
/// subscriptions get a message. A value without connection or clock: the owner sends the SUBSCRIBE and
/// UNSUBSCRIBE that it asks for, and tells it the answers.
///
/// What another wanted filter covers is not kept at the broker as well, because many brokers send a copy of a
/// message for each matching filter of a client.
package struct SubscriptionSet: Sendable {
    /// A filter of the subscriptions.
    struct Route: Sendable {
        /// The filter with the options of its latest SUBSCRIBE.
        var request: MQTTSubscriptionRequest
        /// Whether its number is sent as identifier.
        let isTagged: Bool
        /// How many other filters share a topic with this one.
        var neighbours: Int
        /// The subscriptions to the filter with their options, oldest first.
        var subscribers: [(subscription: UInt64, request: MQTTSubscriptionRequest)] = []
        /// Whether a subscriber wanted the retained messages.
        var isReplaying = false
        /// How many answers to a SUBSCRIBE are outstanding.
        var unanswered = 0
        /// Whether the broker's session has the filter.
        var isGranted = false

        var filter: MQTTTopicFilter { request.filter }
        var isShared: Bool { filter.isShared }
        var isServed: Bool { isGranted || unanswered > 0 }
    }

    /// What the broker has answered on a subscription.
    package enum Standing {
        /// An answer is outstanding.
        case unanswered
        /// Every filter, or one that covers it, is granted.
        case granted
        /// The broker has refused this filter.
        case refused(MQTTTopicFilter, MQTTReasonCode)
        /// There is no such subscription.
        case ended
    }

    /// The broker's session of this client.
    private enum Session: Sendable {
        /// Before the first connection, and after the end.
        case unknown
        case own(MQTTBrokerAddress)
        /// Another client object has created it. It may contain unknown filters with identifiers, and a
        /// message with two identifiers would end the connection.
        case foreign(MQTTBrokerAddress)

        var broker: MQTTBrokerAddress? {
            switch self {
            case .unknown: nil
            case .own(let broker), .foreign(let broker): broker
            }
        }

        var isForeign: Bool { if case .foreign = self { true } else { false } }
    }

    /// Whether the present broker returns identifiers.
    private(set) var usesIdentifiers = false
    /// The filters by their numbers, which are the Subscription Identifiers.
    private(set) var routes: [UInt32: Route] = [:]
    /// The numbers by the levels of their filters.
    private(set) var tree = TopicFilterTree<UInt32>()
    /// What the broker refused on the present connection.
    package private(set) var refused: [MQTTTopicFilter: MQTTReasonCode] = [:]
    /// What the broker's session may have, and no subscription needs.
    package private(set) var surplus: Set<MQTTTopicFilter> = []
    private var numbers: [MQTTTopicFilter: UInt32] = [:]
    private var subscriptions: [UInt64: [UInt32]] = [:]
    private var session = Session.unknown
    /// The sum of all ``Route/unanswered``.
    private var unanswered = 0
    private var nextNumber: UInt32
    private let lastNumber: UInt32

    /// Filters are numbered in order, and from 1 again after the last number.
    package init(
        firstNumber: UInt32 = 1,
        lastNumber: UInt32 = MQTTSubscriptionRequest.identifiers.upperBound
    ) {
        nextNumber = firstNumber
        self.lastNumber = lastNumber
    }

    /// Whether there are no subscriptions.
    package var isEmpty: Bool { subscriptions.isEmpty }
    /// Whether every SUBSCRIBE is answered.
    package var isSettled: Bool { unanswered == 0 }

    /// The filters of a subscription.
    func filters(of subscription: UInt64) -> [MQTTTopicFilter] {
        (subscriptions[subscription] ?? []).compactMap { routes[$0]?.filter }
    }

    /// What the broker has answered on a subscription on the present connection.
    package func standing(of subscription: UInt64) -> Standing {
        guard let numbers = subscriptions[subscription] else { return .ended }
        var isAnswered = true
        for number in numbers {
            guard let route = routes[number] else { continue }
            guard route.unanswered == 0 else {
                isAnswered = false
                continue
            }
            let isHeld = route.isGranted || isCovered(number) { $0.isGranted }
            if !isHeld, let reason = refused[route.filter] { return .refused(route.filter, reason) }
            isAnswered = isAnswered && isHeld
        }
        return isAnswered ? .granted : .unanswered
    }

    /// The oldest subscription to the filter of a request, and all of them.
    func subscribers(of request: FilterRequest) -> [UInt64] {
        isCurrent(request) ? (routes[request.number]?.subscribers.map(\.subscription) ?? []) : []
    }

    /// Whether a request belongs to the present subscriptions of its filter. Otherwise the filter was
    /// removed after the request was made, and perhaps added again with a new request.
    package func isCurrent(_ request: FilterRequest) -> Bool {
        routes[request.number]?.filter == request.filter
    }
}

/// A filter to send in a SUBSCRIBE.
package struct FilterRequest: Hashable, Sendable {
    /// The filter and its options.
    package let request: MQTTSubscriptionRequest
    /// Whether its retained messages are wanted.
    package let isReplaying: Bool
    /// A filter gets a new number with its first subscription.
    let number: UInt32

    package var filter: MQTTTopicFilter { request.filter }
    /// Whether the broker may answer with more messages than it queues for a slow reader.
    package var isReplayOfMany: Bool { isReplaying && filter.hasWildcard }
}

// MARK: Subscriptions

extension SubscriptionSet {
    /// Adds a subscription, and returns what to request from the broker.
    /// - Parameter replaying: whether to request what the broker has already, or is covered, too: for the
    ///   retained messages, and for the broker's answer to this subscription.
    package mutating func add(
        _ subscription: UInt64, _ requests: [MQTTSubscriptionRequest], replaying: Bool
    ) -> [FilterRequest] {
        let added = requests.map { (number: numbers[$0.filter] ?? makeRoute(for: $0), request: $0) }
        var changed: Set<UInt32> = []
        for (number, request) in added {
            guard var route = routes[number],
                !route.subscribers.contains(where: { $0.subscription == subscription })
            else { continue }
            let earlier = route.request
            route.subscribers.append((subscription, request))
            route.isReplaying = route.isReplaying || replaying
            route.request = route.merged
            routes[number] = route
            subscriptions[subscription, default: []].append(number)
            if !route.request.hasOptions(of: earlier) { changed.insert(number) }
        }
        let missing = added.filter { number, _ in
            replaying || changed.contains(number)
                || routes[number]?.isServed != true && !isCovered(number, by: isWanted)
        }
        return missing.map { ask($0.number, for: $0.request, isReplaying: replaying) }
    }

    /// Removes a subscription.
    /// - Returns: what to request from the broker before anything is unsubscribed, and whether there is more
    ///   ``surplus`` now.
    package mutating func remove(
        _ subscription: UInt64
    ) -> (requests: [FilterRequest], isUnsubscribeDue: Bool) {
        let before = surplus.count
        var wider: [MQTTTopicFilter] = []
        for number in subscriptions.removeValue(forKey: subscription) ?? [] {
            routes[number]?.subscribers.removeAll { $0.subscription == subscription }
            guard let route = routes[number], route.subscribers.isEmpty else { continue }
            removeRoute(number)
            unanswered -= route.unanswered
            refused[route.filter] = nil
            if route.isServed { surplus.insert(route.filter) }
            if route.filter.hasWildcard { wider.append(route.filter) }
        }
        return (askUnserved(beside: wider), surplus.count > before)
    }

    /// Removes every subscription. What the broker's session has of them is not known to the next one.
    mutating func removeAll() {
        var next = SubscriptionSet(firstNumber: nextNumber, lastNumber: lastNumber)
        next.surplus = surplus
        self = next
    }

    /// Requests the retained messages of wanted filters again.
    package mutating func replay(_ filters: [MQTTTopicFilter]) -> [FilterRequest] {
        filters.compactMap { numbers[$0] }.map { ask($0, isReplaying: true) }
    }

    private mutating func makeRoute(for request: MQTTSubscriptionRequest) -> UInt32 {
        let neighbours = tree.values(.overlapping, request.filter)
        for neighbour in neighbours { routes[neighbour]?.neighbours += 1 }
        while routes[nextNumber] != nil { advanceNumber() }
        let number = nextNumber
        advanceNumber()
        routes[number] = Route(
            request: request,
            isTagged: !neighbours.contains { routes[$0]?.isTagged ?? false },
            neighbours: neighbours.count)
        numbers[request.filter] = number
        tree.insert(number, under: request.filter)
        return number
    }

    private mutating func advanceNumber() {
        nextNumber = nextNumber < lastNumber ? nextNumber + 1 : 1
    }

    private mutating func removeRoute(_ number: UInt32) {
        guard let filter = routes.removeValue(forKey: number)?.filter else { return }
        numbers[filter] = nil
        tree.remove(number, under: filter)
        for neighbour in tree.values(.overlapping, filter) { routes[neighbour]?.neighbours -= 1 }
    }
}

// MARK: The broker's session

extension SubscriptionSet {
    /// The broker has accepted a connection.
    /// - Returns: what its session lacks, in the order in which it was first wanted: there most filters
    ///   with an identifier come before those that they overlap with.
    package mutating func connected(
        to broker: MQTTBrokerAddress, isSessionPresent: Bool, offersIdentifiers: Bool
    ) -> [FilterRequest] {
        // Another broker may have an older session of this client.
        let isKept = isSessionPresent && broker == session.broker
        if !isKept { session = isSessionPresent ? .foreign(broker) : .own(broker) }
        if !isSessionPresent { surplus = [] }
        usesIdentifiers = offersIdentifiers && !session.isForeign
        refused = [:]
        unanswered = 0
        for (number, route) in routes {
            routes[number]?.unanswered = 0
            if !isKept { routes[number]?.isGranted = false }
            // The session may have it although the answer was lost.
            if isKept, route.unanswered > 0, !route.isGranted { surplus.insert(route.filter) }
        }
        return askUnserved()
    }

    /// The broker has answered a SUBSCRIBE.
    /// - Returns: what to request because a filter does not cover it, as it was refused or has other options now.
    package mutating func answered(
        _ requests: [FilterRequest], _ reasons: [MQTTReasonCode]
    ) -> [FilterRequest] {
        var granted: Set<UInt32> = []
        var wider: [MQTTTopicFilter] = []
        for (request, reason) in zip(requests, reasons) where isCurrent(request) {
            settle(request)
            routes[request.number]?.isGranted = !reason.isError
            refused[request.filter] = reason.isError ? reason : nil
            if !reason.isError { granted.insert(request.number) }
            if request.filter.hasWildcard { wider.append(request.filter) }
        }
        dropCovered(by: granted)
        return askUnserved(beside: wider)
    }

    /// A SUBSCRIBE could not be sent.
    mutating func notSent(_ requests: [FilterRequest]) {
        for request in requests where isCurrent(request) { settle(request) }
    }

    /// Returns what to unsubscribe from now, which is no ``surplus`` any more.
    package mutating func takeSurplus() -> [MQTTTopicFilter] {
        defer { surplus = [] }
        return Array(surplus)
    }

    /// An UNSUBSCRIBE failed: the broker's session may still have these filters.
    mutating func notUnsubscribed(_ filters: [MQTTTopicFilter]) {
        for filter in filters
        where numbers[filter].flatMap({ routes[$0] })?.isServed != true { surplus.insert(filter) }
    }

    private mutating func settle(_ request: FilterRequest) {
        guard let route = routes[request.number], route.unanswered > 0 else { return }
        routes[request.number]?.unanswered -= 1
        unanswered -= 1
    }

    /// Marks a filter as requested with the options that suit all its subscriptions.
    private mutating func ask(
        _ number: UInt32, for cause: MQTTSubscriptionRequest? = nil, isReplaying: Bool? = nil
    ) -> FilterRequest {
        guard var route = routes[number] else {
            preconditionFailure("only wanted filters are asked for")
        }
        route.request = route.merged
        route.unanswered += 1
        unanswered += 1
        routes[number] = route
        refused[route.filter] = nil
        surplus.remove(route.filter)
        var request = route.request
        request.retainHandling = cause?.retainHandling ?? request.retainHandling
        request.identifier = usesIdentifiers && route.isTagged ? number : nil
        return FilterRequest(
            request: request, isReplaying: isReplaying ?? route.isReplaying, number: number)
    }

    /// Requests the filters that are neither at the broker nor covered nor refused.
    mutating func askUnserved() -> [FilterRequest] { askUnserved(among: Set(routes.keys)) }

    /// The same for filters that share a topic with others, which may have covered them.
    private mutating func askUnserved(beside wider: [MQTTTopicFilter]) -> [FilterRequest] {
        askUnserved(among: Set(wider.flatMap { tree.values(.overlapping, $0) }))
    }

    private mutating func askUnserved(among candidates: Set<UInt32>) -> [FilterRequest] {
        candidates.filter { number in
            guard let route = routes[number], !route.isServed else { return false }
            return refused[route.filter] == nil && !isCovered(number, by: isWanted)
        }
        .sorted().map { ask($0) }
    }

    /// Gives up the granted filters that newly granted ones cover, and new ones that are covered.
    private mutating func dropCovered(by new: Set<UInt32>) {
        var covered = new.filter { isCovered($0) { $0.isGranted } }
        for wider in new.compactMap({ routes[$0]?.filter }) where wider.hasWildcard {
            for number in tree.values(.overlapping, wider) where !covered.contains(number) {
                guard routes[number]?.isGranted == true else { continue }
                if isCovered(number, by: { $0.isGranted }) { covered.insert(number) }
            }
        }
        for number in covered {
            guard let route = routes[number] else { continue }
            routes[number]?.isGranted = false
            if route.unanswered == 0 { surplus.insert(route.filter) }
        }
    }

    private func isWanted(_ route: Route) -> Bool { refused[route.filter] == nil }

    /// Whether another filter for which `holds` is true brings every message of this one, with the options
    /// that it has asked for.
    private func isCovered(_ number: UInt32, by holds: (Route) -> Bool) -> Bool {
        guard let route = routes[number], !route.isShared else { return false }
        return tree.values(.covering, route.filter).contains { other in
            guard other != number, let wider = routes[other], !wider.isShared else { return false }
            return wider.request.serves(route.request) && holds(wider)
        }
    }
}

extension SubscriptionSet.Route {
    /// The broker keeps one subscription per filter, with the options of the latest SUBSCRIBE, so the options
    /// of all subscriptions to the filter are combined.
    fileprivate var merged: MQTTSubscriptionRequest {
        guard var merged = subscribers.first?.request else { return request }
        for other in subscribers.dropFirst().map(\.request) {
            merged.qos = max(merged.qos, other.qos)
            merged.noLocal = merged.noLocal && other.noLocal
            merged.retainAsPublished = merged.retainAsPublished || other.retainAsPublished
            if other.retainHandling.rawValue < merged.retainHandling.rawValue {
                merged.retainHandling = other.retainHandling
            }
        }
        return merged
    }
}

extension MQTTSubscriptionRequest {
    /// Whether messages of a covered filter come as they were asked for.
    fileprivate func serves(_ other: Self) -> Bool {
        qos >= other.qos && noLocal == other.noLocal && retainAsPublished == other.retainAsPublished
    }

    fileprivate func hasOptions(of other: Self) -> Bool {
        qos == other.qos && noLocal == other.noLocal && retainAsPublished == other.retainAsPublished
    }
}
