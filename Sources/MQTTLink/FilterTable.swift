internal import MQTTClient

/// The filters that a link's subscribers want, and which of them the broker has granted on the
/// present connection.
///
/// A filter that another wanted filter covers is not subscribed to as well: brokers send a copy of a
/// message for each matching filter of a client. A value type: the link executes the plans that it
/// returns.
struct FilterTable: Sendable {
    /// What the link sends to the broker, in this order.
    struct Plan: Equatable, Sendable {
        /// Filters to subscribe to.
        var subscribe: [FilterRequest] = []
        /// Filters to unsubscribe from after every SUBSCRIBE is answered, unless they are wanted again.
        var unsubscribe: [MQTTTopicFilter] = []
    }

    private struct Entry: Sendable {
        var request: FilterRequest
        var subscribers: Int
    }

    private var entries: [MQTTTopicFilter: Entry] = [:]
    /// The wanted filters with wildcards: only these can cover others.
    private var wildcards = WildcardIndex()
    /// How many answers on a filter are outstanding.
    private var requested: [MQTTTopicFilter: Int] = [:]
    private var granted: Set<MQTTTopicFilter> = []
    /// What the broker refused on the present connection.
    private(set) var refused: [MQTTTopicFilter: MQTTReasonCode] = [:]
    private var lastNumber = 0

    /// Adds a subscriber to each of these filters.
    /// - Parameter replaying: whether to request the retained messages even if the broker has the
    ///   filter already.
    mutating func add(
        _ requests: [MQTTSubscriptionRequest], replaying: Bool, isConnected: Bool
    ) -> Plan {
        let requests = requests.map { register($0, isReplaying: replaying) }
        guard isConnected else { return Plan() }
        let missing = requests.filter { replaying || !isServed($0.filter) }
        markRequested(missing)
        return Plan(subscribe: missing)
    }

    /// Removes a subscriber from each of these filters.
    mutating func remove(_ filters: [MQTTTopicFilter], isConnected: Bool) -> Plan {
        var unused: [MQTTTopicFilter] = []
        var isWildcardRemoved = false
        for filter in filters {
            entries[filter]?.subscribers -= 1
            guard entries[filter]?.subscribers == 0 else { continue }
            entries[filter] = nil
            if filter.hasWildcard {
                wildcards.remove(filter)
                isWildcardRemoved = true
            }
            refused[filter] = nil
            let wasGranted = granted.remove(filter) != nil
            let wasRequested = requested.removeValue(forKey: filter) != nil
            if wasGranted || wasRequested { unused.append(filter) }
        }
        guard isConnected else { return Plan() }
        return Plan(subscribe: isWildcardRemoved ? requestUnserved() : [], unsubscribe: unused)
    }

    /// Requests the retained messages of wanted filters again.
    mutating func replay(_ filters: [MQTTTopicFilter], isConnected: Bool) -> Plan {
        guard isConnected else { return Plan() }
        let requests = filters.compactMap { entries[$0]?.request }
        markRequested(requests)
        return Plan(subscribe: requests)
    }

    /// The link is connected: subscribes to everything that is wanted.
    mutating func connected() -> Plan {
        disconnected()
        let requests = uncovered
        markRequested(requests)
        return Plan(subscribe: requests)
    }

    /// The connection is lost, and its subscriptions with it. Unanswered requests count neither as
    /// granted nor as refused; ``connected()`` makes them again.
    mutating func disconnected() {
        requested = [:]
        granted = []
        refused = [:]
    }

    /// The broker has answered a SUBSCRIBE.
    /// - Returns: a plan that requests what a refused wildcard would have covered, and unsubscribes from
    ///   what a granted one covers.
    mutating func answered(_ requests: [FilterRequest], _ reasons: [MQTTReasonCode]) -> Plan {
        var newlyGranted = Set<MQTTTopicFilter>()
        var isWildcardRefused = false
        for (request, reason) in zip(requests, reasons) where isCurrent(request) {
            let filter = request.filter
            requested[filter] = requested[filter].flatMap { $0 > 1 ? $0 - 1 : nil }
            if reason.isError {
                granted.remove(filter)
                refused[filter] = reason
                isWildcardRefused = isWildcardRefused || filter.hasWildcard
            } else {
                granted.insert(filter)
                newlyGranted.insert(filter)
                refused[filter] = nil
            }
        }
        let covered = removeCovered(by: newlyGranted)
        return Plan(subscribe: isWildcardRefused ? requestUnserved() : [], unsubscribe: covered)
    }

    /// Which of a plan's filters are still not wanted.
    func superfluous(_ filters: [MQTTTopicFilter]) -> [MQTTTopicFilter] {
        filters.filter { !granted.contains($0) && !isRequested($0) }
    }

    /// Whether the broker has granted every one of these filters, or one that covers it.
    func isGranted(_ filters: [MQTTTopicFilter]) -> Bool {
        filters.allSatisfy {
            granted.contains($0) || wildcards.isCovered($0, where: granted.contains)
        }
    }

    /// Whether the broker's answer on a filter is outstanding.
    func isRequested(_ filter: MQTTTopicFilter) -> Bool { requested[filter] != nil }

    /// Whether a request belongs to the present subscribers of its filter. Otherwise the filter was
    /// removed after the request was made, and perhaps added again with a new request.
    func isCurrent(_ request: FilterRequest) -> Bool {
        entries[request.filter]?.request.number == request.number
    }

    /// The first of these filters that the broker refused, with its reason.
    func refusal(of filters: [MQTTTopicFilter]) -> (MQTTTopicFilter, MQTTReasonCode)? {
        for filter in filters {
            if let reason = refused[filter], !isGranted([filter]) { return (filter, reason) }
        }
        return nil
    }

    /// Whether every request is answered.
    var isSettled: Bool { requested.isEmpty }

    // MARK: Parts

    private mutating func register(
        _ request: MQTTSubscriptionRequest, isReplaying: Bool
    ) -> FilterRequest {
        if var entry = entries[request.filter] {
            entry.subscribers += 1
            entry.request.isReplaying = entry.request.isReplaying || isReplaying
            entries[request.filter] = entry
            return FilterRequest(request, isReplaying: isReplaying, number: entry.request.number)
        }
        lastNumber += 1
        let new = FilterRequest(request, isReplaying: isReplaying, number: lastNumber)
        entries[request.filter] = Entry(request: new, subscribers: 1)
        if request.filter.hasWildcard { wildcards.insert(request.filter) }
        return new
    }

    private mutating func markRequested(_ requests: [FilterRequest]) {
        for request in requests {
            requested[request.filter, default: 0] += 1
            refused[request.filter] = nil
        }
    }

    /// Drops the granted filters that a newly granted wildcard covers, and new ones that are covered.
    private mutating func removeCovered(by new: Set<MQTTTopicFilter>) -> [MQTTTopicFilter] {
        var covered = new.filter { wildcards.isCovered($0, where: granted.contains) }
        // By the index, because one SUBSCRIBE may ask for a wildcard of each of a thousand devices.
        if new.contains(where: \.hasWildcard) {
            covered.formUnion(granted.filter { wildcards.isCovered($0, where: new.contains) })
        }
        granted.subtract(covered)
        return Array(covered)
    }

    /// Requests the wanted filters that no granted or requested filter serves any more.
    private mutating func requestUnserved() -> [FilterRequest] {
        let unserved = uncovered.filter { !isServed($0.filter) && refused[$0.filter] == nil }
        markRequested(unserved)
        return unserved
    }

    /// Whether the filter, or one that covers it, is granted or requested.
    private func isServed(_ filter: MQTTTopicFilter) -> Bool {
        granted.contains(filter) || isRequested(filter)
            || wildcards.isCovered(filter) { granted.contains($0) || isRequested($0) }
    }

    /// The wanted filters that no other one covers, in the order in which they were first wanted. A
    /// refused filter covers nothing.
    private var uncovered: [FilterRequest] {
        entries.values.map(\.request)
            .filter { request in !wildcards.isCovered(request.filter) { refused[$0] == nil } }
            .sorted { $0.number < $1.number }
    }
}

/// A filter to subscribe to.
struct FilterRequest: Hashable, Sendable {
    /// The filter and its options.
    let request: MQTTSubscriptionRequest
    /// Whether its retained messages are wanted.
    var isReplaying: Bool
    /// Rises each time that a filter gets its first subscriber.
    let number: Int

    var filter: MQTTTopicFilter { request.filter }
    /// Whether the broker may answer with more messages than it queues for a slow reader.
    var isReplayOfMany: Bool { isReplaying && filter.hasWildcard }

    init(_ request: MQTTSubscriptionRequest, isReplaying: Bool, number: Int) {
        self.request = request
        self.isReplaying = isReplaying
        self.number = number
    }
}
