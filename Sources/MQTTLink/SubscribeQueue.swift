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

    private var waiting: [FilterRequest] = []
    /// How many of `waiting` were taken: removing each from the front would be quadratic.
    private var taken = 0
    private(set) var underWay: Call?
    private var lastNumber = 0

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

    /// The connection is lost.
    mutating func clear() {
        waiting = []
        taken = 0
        underWay = nil
    }
}
