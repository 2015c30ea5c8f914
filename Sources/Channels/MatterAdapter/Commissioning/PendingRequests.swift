internal import Basics
internal import DeviceDomain

/// Requests about new devices whose answers are waited for, any number of times. A value type: the channel sends and
/// hears.
struct PendingRequests {
    typealias Waiter = AnswerSlot<CommissioningAnswer?>

    private struct Entry {
        let request: CommissioningRequest
        var answer: CommissioningAnswer?
        var waiters: [Waiter] = []
    }

    private var entries: [String: Entry] = [:]

    /// A request was sent.
    mutating func begin(_ id: String, _ request: CommissioningRequest) {
        entries[id] = Entry(request: request)
    }

    /// The server has answered.
    /// - Returns: whether it is the answer to one of these requests.
    mutating func answered(_ id: String, _ result: JSONValue) -> Bool {
        guard let entry = entries[id] else { return false }
        settle(id, CommissioningAnswer(result, to: entry.request))
        return true
    }

    /// The server has answered with an error.
    /// - Returns: whether it is the answer to one of these requests.
    mutating func failed(_ id: String, _ failure: ServerFailure) -> Bool {
        guard entries[id] != nil else { return false }
        settle(id, .failed(code: failure.code, details: failure.details))
        return true
    }

    /// The connection is lost or closed: no answer comes any more.
    mutating func linkLost() {
        for (id, entry) in entries where entry.answer == nil { settle(id, .lost) }
    }

    /// Lets a task wait for an answer; it gets the one that has come at once.
    mutating func wait(for id: String, _ waiter: Waiter) {
        guard let entry = entries[id] else { return waiter.resolve(.lost) }
        if let answer = entry.answer { return waiter.resolve(answer) }
        entries[id]?.waiters.append(waiter)
    }

    /// Nobody waits for the answer any more.
    mutating func forget(_ id: String) {
        for waiter in entries.removeValue(forKey: id)?.waiters ?? [] { waiter.resolve(nil) }
    }

    private mutating func settle(_ id: String, _ answer: CommissioningAnswer) {
        guard entries[id]?.answer == nil else { return }
        entries[id]?.answer = answer
        for waiter in entries[id]?.waiters ?? [] { waiter.resolve(answer) }
        entries[id]?.waiters = []
    }
}
