internal import MQTTClient

/// Which filters are wanted, and which of them the broker has on the present connection.
///
/// A filter that another wanted filter covers is not kept beside it: brokers send a copy of a
/// message for each of a client's filters that match. A value: the link carries its actions out.
struct FilterBook: Sendable {
    /// What the link does with the broker, in this order.
    struct Plan: Equatable, Sendable {
        /// Filters to subscribe to.
        var subscribe: [MQTTSubscriptionRequest] = []
        /// Filters to unsubscribe from once the broker has answered, unless they are wanted again.
        var unsubscribe: [MQTTTopicFilter] = []
    }

    private struct Wanted: Sendable {
        var request: MQTTSubscriptionRequest
        var wishes: Int
    }

    /// How many filters go into one SUBSCRIBE.
    static let batch = 100

    private var wanted: [MQTTTopicFilter: Wanted] = [:]
    private var requested: Set<MQTTTopicFilter> = []
    private var granted: Set<MQTTTopicFilter> = []
    /// What the broker refused on the present connection.
    private(set) var refused: [MQTTTopicFilter: MQTTReasonCode] = [:]

    /// Somebody wants filters.
    /// - Parameter replaying: whether the retained messages must come also where the broker has the
    ///   filter already.
    mutating func add(
        _ requests: [MQTTSubscriptionRequest], replaying: Bool, isConnected: Bool
    ) -> Plan {
        for request in requests {
            wanted[request.filter, default: Wanted(request: request, wishes: 0)].wishes += 1
        }
        guard isConnected else { return Plan() }
        let missing = requests.filter { replaying || !isServed($0.filter) }
        note(missing)
        return Plan(subscribe: missing)
    }

    /// Somebody wants filters no more.
    mutating func remove(_ filters: [MQTTTopicFilter], isConnected: Bool) -> Plan {
        var lost: [MQTTTopicFilter] = []
        for filter in filters {
            wanted[filter]?.wishes -= 1
            guard wanted[filter]?.wishes == 0 else { continue }
            wanted[filter] = nil
            refused[filter] = nil
            let wasGranted = granted.remove(filter) != nil
            let wasRequested = requested.remove(filter) != nil
            if wasGranted || wasRequested { lost.append(filter) }
        }
        guard isConnected else { return Plan() }
        return Plan(subscribe: takeBereft(), unsubscribe: lost)
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
        requested = []
        granted = []
        refused = [:]
    }

    /// The broker has answered a SUBSCRIBE.
    /// - Returns: a plan to ask for what a refused filter would have covered, and to give up what is
    ///   covered by what it granted.
    mutating func answered(
        _ requests: [MQTTSubscriptionRequest], _ reasons: [MQTTReasonCode]
    ) -> Plan {
        for (request, reason) in zip(requests, reasons) where wanted[request.filter] != nil {
            requested.remove(request.filter)
            if reason.isError {
                granted.remove(request.filter)
                refused[request.filter] = reason
            } else {
                granted.insert(request.filter)
                refused[request.filter] = nil
            }
        }
        let covered = granted.filter { filter in granted.contains { $0.covers(filter) } }
        granted.subtract(covered)
        return Plan(subscribe: takeBereft(), unsubscribe: Array(covered))
    }

    /// Filters of a plan that nobody has come to want meanwhile.
    func superfluous(_ filters: [MQTTTopicFilter]) -> [MQTTTopicFilter] {
        filters.filter { !granted.contains($0) && !requested.contains($0) }
    }

    /// Whether the broker has every one of these filters, or one that covers it.
    func isGranted(_ filters: [MQTTTopicFilter]) -> Bool {
        filters.allSatisfy { filter in
            granted.contains(filter) || granted.contains { $0.covers(filter) }
        }
    }

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

    private mutating func note(_ requests: [MQTTSubscriptionRequest]) {
        requested.formUnion(requests.map(\.filter))
        for request in requests { refused[request.filter] = nil }
    }

    /// Asks for the wanted filters that nothing serves any more.
    private mutating func takeBereft() -> [MQTTSubscriptionRequest] {
        let bereft = effective.filter { !isServed($0.filter) && refused[$0.filter] == nil }
        note(bereft)
        return bereft
    }

    /// Whether the broker has the filter or one that covers it, or was asked for it.
    private func isServed(_ filter: MQTTTopicFilter) -> Bool {
        if granted.contains(filter) || requested.contains(filter) { return true }
        return granted.contains { $0.covers(filter) } || requested.contains { $0.covers(filter) }
    }

    /// The wanted filters without those that another one covers, in the order of their texts. A refused
    /// filter covers nothing.
    private var effective: [MQTTSubscriptionRequest] {
        let wide = wanted.keys.filter { $0.hasWildcard && refused[$0] == nil }
        return wanted.values.map(\.request)
            .filter { request in !wide.contains { $0.covers(request.filter) } }
            .sorted { $0.filter.rawValue < $1.filter.rawValue }
    }
}
