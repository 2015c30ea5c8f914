internal import MQTTClient

/// The SUBSCRIBEs of a link, one at a time.
///
/// A broker drops what exceeds a client's outgoing queue, SUBACK too, so it replays little at a time
/// (PROTOCOL section 1): the next SUBSCRIBE waits for the answer to the one before. A wildcard with
/// retained messages goes alone. A value: the link carries its actions out.
struct SubscribeQueue: Sendable {
    /// One SUBSCRIBE.
    struct Call: Equatable, Sendable {
        let number: Int
        let requests: [FilterRequest]
    }

    /// How many filters go into one SUBSCRIBE: description and state of a hundred devices.
    static let batch = 200

    private var waiting: [FilterRequest] = []
    /// How many of `waiting` have left it.
    private var taken = 0
    private(set) var underWay: Call?
    /// The number of the latest SUBSCRIBE that was sent; numbers begin with 1.
    private(set) var lastNumber = 0

    /// Whether nothing waits and nothing is under way.
    var isIdle: Bool { underWay == nil && taken == waiting.count }

    /// Puts filters at the end.
    mutating func add(_ requests: [FilterRequest]) { waiting += requests }

    /// The next SUBSCRIBE, if none is under way.
    /// - Parameter isRequested: whether a filter is still asked for; others are left out.
    mutating func next(where isRequested: (MQTTTopicFilter) -> Bool) -> Call? {
        guard underWay == nil else { return nil }
        var requests: [FilterRequest] = []
        while taken < waiting.count, requests.count < Self.batch {
            let request = waiting[taken]
            guard requests.isEmpty || !request.isReplayOfMany else { break }
            taken += 1
            guard isRequested(request.filter) else { continue }
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

    /// A SUBSCRIBE was answered, or its answer is not waited for any more.
    /// - Returns: whether it was the one under way.
    mutating func ended(_ call: Call) -> Bool {
        guard underWay == call else { return false }
        underWay = nil
        return true
    }

    /// The connection is gone.
    mutating func clear() {
        waiting = []
        taken = 0
        underWay = nil
    }
}
