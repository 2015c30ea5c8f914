internal import MQTTClient

/// Which filters are wanted, and which of them the broker has on the present connection.
///
/// A filter that another wanted filter covers is not kept beside it: brokers send a copy of a
/// message for each of a client's filters that match. A value: the link carries its actions out.
struct FilterBook: Sendable {
    /// What the link does with the broker, in this order.
    struct Plan: Equatable, Sendable {
        /// Filters to subscribe to.
        var subscribe: [FilterRequest] = []
        /// Filters to unsubscribe from once the broker has answered, unless they are wanted again.
        var unsubscribe: [MQTTTopicFilter] = []
    }

    private struct Wanted: Sendable {
        var request: FilterRequest
        var wishes: Int
        /// Filters are asked for in the order in which they were first wanted.
        let number: Int
    }

    private var wanted: [MQTTTopicFilter: Wanted] = [:]
    /// The wanted filters with wildcards: the only ones that can cover others.
    private var wide = WildcardIndex()
    /// How many answers on a filter are still to come.
    private var requested: [MQTTTopicFilter: Int] = [:]
    private var granted: Set<MQTTTopicFilter> = []
    /// What the broker refused on the present connection.
    private(set) var refused: [MQTTTopicFilter: MQTTReasonCode] = [:]
    private var lastNumber = 0

    /// Somebody wants filters.
    /// - Parameter replaying: whether the retained messages must come also where the broker has the
    ///   filter already.
    mutating func add(
        _ requests: [MQTTSubscriptionRequest], replaying: Bool, isConnected: Bool
    ) -> Plan {
        let requests = requests.map { FilterRequest($0, isReplaying: replaying) }
        for request in requests { note(wanted: request) }
        guard isConnected else { return Plan() }
        let missing = requests.filter { replaying || !isServed($0.filter) }
        note(missing)
        return Plan(subscribe: missing)
    }

    /// Somebody wants filters no more.
    mutating func remove(_ filters: [MQTTTopicFilter], isConnected: Bool) -> Plan {
        var lost: [MQTTTopicFilter] = []
        var isWildcardLost = false
        for filter in filters {
            wanted[filter]?.wishes -= 1
            guard wanted[filter]?.wishes == 0 else { continue }
            wanted[filter] = nil
            if filter.hasWildcard {
                wide.remove(filter)
                isWildcardLost = true
            }
            refused[filter] = nil
            let wasGranted = granted.remove(filter) != nil
            let wasRequested = requested.removeValue(forKey: filter) != nil
            if wasGranted || wasRequested { lost.append(filter) }
        }
        guard isConnected else { return Plan() }
        return Plan(subscribe: isWildcardLost ? takeUnserved() : [], unsubscribe: lost)
    }

    /// Somebody wants the retained messages of wanted filters again.
    mutating func replay(_ filters: [MQTTTopicFilter], isConnected: Bool) -> Plan {
        guard isConnected else { return Plan() }
        let requests = filters.compactMap { wanted[$0]?.request }
        note(requests)
        return Plan(subscribe: requests)
    }

    /// The connection is there.
    /// - Returns: what to subscribe to.
    mutating func connected() -> Plan {
        disconnected()
        let requests = effective
        note(requests)
        return Plan(subscribe: requests)
    }

    /// The connection is gone, and its subscriptions with it. What was asked for and not answered is
    /// neither granted nor refused: it is asked for again.
    mutating func disconnected() {
        requested = [:]
        granted = []
        refused = [:]
    }

    /// The broker has answered a SUBSCRIBE.
    /// - Returns: a plan to ask for what a refused filter would have covered, and to give up what is
    ///   covered by what it granted.
    mutating func answered(
        _ filters: [MQTTTopicFilter], _ reasons: [MQTTReasonCode]
    ) -> Plan {
        var news = Set<MQTTTopicFilter>()
        var isWildcardRefused = false
        for (filter, reason) in zip(filters, reasons) where wanted[filter] != nil {
            requested[filter] = requested[filter].flatMap { $0 > 1 ? $0 - 1 : nil }
            if reason.isError {
                granted.remove(filter)
                refused[filter] = reason
                isWildcardRefused = isWildcardRefused || filter.hasWildcard
            } else {
                news.insert(granted.insert(filter).memberAfterInsert)
                refused[filter] = nil
            }
        }
        let covered = takeCovered(by: news)
        return Plan(subscribe: isWildcardRefused ? takeUnserved() : [], unsubscribe: covered)
    }

    /// Filters of a plan that nobody has come to want meanwhile.
    func superfluous(_ filters: [MQTTTopicFilter]) -> [MQTTTopicFilter] {
        filters.filter { !granted.contains($0) && !isRequested($0) }
    }

    /// Whether the broker has every one of these filters, or one that covers it.
    func isGranted(_ filters: [MQTTTopicFilter]) -> Bool {
        filters.allSatisfy { granted.contains($0) || wide.isCovered($0, where: granted.contains) }
    }

    /// Whether the broker's answer on a filter is still to come.
    func isRequested(_ filter: MQTTTopicFilter) -> Bool { requested[filter] != nil }

    /// The first of these filters that the broker refused, with its reason.
    func refusal(of filters: [MQTTTopicFilter]) -> (MQTTTopicFilter, MQTTReasonCode)? {
        for filter in filters {
            if let reason = refused[filter], !isGranted([filter]) { return (filter, reason) }
        }
        return nil
    }

    /// Whether every wanted filter is answered.
    var isSettled: Bool { requested.isEmpty }

    // MARK: Parts

    private mutating func note(wanted request: FilterRequest) {
        if var known = wanted[request.filter] {
            known.wishes += 1
            known.request.isReplaying = known.request.isReplaying || request.isReplaying
            wanted[request.filter] = known
        } else {
            lastNumber += 1
            wanted[request.filter] = Wanted(request: request, wishes: 1, number: lastNumber)
            if request.filter.hasWildcard { wide.insert(request.filter) }
        }
    }

    private mutating func note(_ requests: [FilterRequest]) {
        for request in requests {
            requested[request.filter, default: 0] += 1
            refused[request.filter] = nil
        }
    }

    /// Gives up what newly granted filters cover, and those of them that are covered themselves.
    private mutating func takeCovered(by news: Set<MQTTTopicFilter>) -> [MQTTTopicFilter] {
        let candidates = news.contains(where: \.hasWildcard) ? granted : news
        let covered = candidates.filter { wide.isCovered($0, where: granted.contains) }
        granted.subtract(covered)
        return Array(covered)
    }

    /// Asks for the wanted filters that nothing serves any more.
    private mutating func takeUnserved() -> [FilterRequest] {
        let unserved = effective.filter { !isServed($0.filter) && refused[$0.filter] == nil }
        note(unserved)
        return unserved
    }

    /// Whether the broker has the filter or one that covers it, or was asked for it.
    private func isServed(_ filter: MQTTTopicFilter) -> Bool {
        granted.contains(filter) || isRequested(filter)
            || wide.isCovered(filter) { granted.contains($0) || isRequested($0) }
    }

    /// The wanted filters without those that another one covers. A refused filter covers nothing.
    private var effective: [FilterRequest] {
        wanted.values
            .filter { wanted in !wide.isCovered(wanted.request.filter) { refused[$0] == nil } }
            .sorted { $0.number < $1.number }
            .map(\.request)
    }
}

/// A filter that is wanted, and whether its retained messages are.
struct FilterRequest: Hashable, Sendable {
    /// How the broker is asked.
    let request: MQTTSubscriptionRequest
    /// Whether messages are retained on its topics that somebody wants.
    var isReplaying: Bool

    var filter: MQTTTopicFilter { request.filter }
    /// Whether the broker may answer with more messages than it keeps for a slow reader.
    var isReplayOfMany: Bool { isReplaying && filter.hasWildcard }

    init(_ request: MQTTSubscriptionRequest, isReplaying: Bool) {
        self.request = request
        self.isReplaying = isReplaying
    }
}
