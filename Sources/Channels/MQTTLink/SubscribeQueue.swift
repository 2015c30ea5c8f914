internal import MQTTClient

/// The SUBSCRIBEs of a link, one at a time.
///
/// A broker drops what exceeds a client's outgoing queue, including SUBACKs. To keep each replay small
/// (PROTOCOL section 1), a SUBSCRIBE waits for the answer to the previous one, and a wildcard whose
/// retained messages are wanted gets a SUBSCRIBE of its own. A value type: the link sends the packets.
struct SubscribeQueue: Sendable {
    /// One SUBSCRIBE and its number.
    struct Call: Equatable, Sendable {
        let number: Int
        let requests: [FilterRequest]
    }

    /// The most filters in one SUBSCRIBE: description and state of a hundred devices.
    static let batch = 200
    /// How often a filter is requested on one connection while the broker fails to process it.
    private static let attempts = 3

    /// Whether the link will look for the next SUBSCRIBE soon.
    var isLookUpDue = false
    private var waiting: [FilterRequest] = []
    /// How many of `waiting` were taken: removing each from the front would be quadratic.
    private var taken = 0
    private(set) var underWay: Call?
    private var lastNumber = 0
    /// How often the broker has failed to process a filter on the present connection.
    private var failures: [MQTTTopicFilter: Int] = [:]

    /// Whether no filter waits and no SUBSCRIBE is unanswered.
    var isIdle: Bool { underWay == nil && taken == waiting.count }

    /// Appends filters.
    mutating func add(_ requests: [FilterRequest]) { waiting += requests }

    /// The next SUBSCRIBE, unless one is unanswered.
    /// - Parameter isCurrent: whether a filter is still wanted; others are left out.
    mutating func next(where isCurrent: (FilterRequest) -> Bool) -> Call? {
        guard underWay == nil else { return nil }
        var requests: [FilterRequest] = []
        while taken < waiting.count, requests.count < Self.batch {
            let request = waiting[taken]
            guard requests.isEmpty || !request.isReplayOfMany else { break }
            taken += 1
            guard isCurrent(request) else { continue }
            requests.append(request)
            if request.isReplayOfMany { break }
        }
        if taken == waiting.count {
            waiting = []
            taken = 0
        }
        guard !requests.isEmpty else { return nil }
        lastNumber += 1
        underWay = Call(number: lastNumber, requests: requests)
        return underWay
    }

    /// A SUBSCRIBE was answered, or the link has stopped waiting for its answer.
    /// - Returns: whether it was the one under way. A late answer of a lost connection is not.
    mutating func ended(_ call: Call) -> Bool {
        guard underWay == call else { return false }
        underWay = nil
        return true
    }

    /// The broker failed to process the request for a filter.
    /// - Returns: whether to try it once more.
    mutating func failed(_ filter: MQTTTopicFilter) -> Bool {
        failures[filter, default: 0] += 1
        return failures[filter, default: 0] < Self.attempts
    }

    /// Whether the broker has failed to process each of these filters on the present connection.
    func haveFailed(_ requests: [FilterRequest]) -> Bool {
        requests.allSatisfy { failures[$0.filter] != nil }
    }

    /// The connection is lost.
    mutating func clear() {
        waiting = []
        taken = 0
        underWay = nil
        failures = [:]
    }
}
