import MQTTClient

/// A reading of what a broker retains: it ends when everything was heard, or when somebody ends it.
struct RetainedReading {
    private enum State {
        case none
        case reading(missing: Set<String>, CheckedContinuation<[String: [UInt8]], Never>)
    }

    private var state = State.none
    private var found: [String: [UInt8]] = [:]

    /// Begins; a former reading ends.
    mutating func begin(
        _ topics: [String], _ waiter: CheckedContinuation<[String: [UInt8]], Never>
    ) {
        end()
        state = .reading(missing: Set(topics), waiter)
    }

    /// Notes a message.
    mutating func note(_ message: MQTTMessage) {
        guard case .reading(var missing, let waiter) = state else { return }
        found[message.topic.rawValue] = message.payload
        missing.remove(message.topic.rawValue)
        state = .reading(missing: missing, waiter)
        if missing.isEmpty { end() }
    }

    /// Ends, if nothing is missing.
    mutating func endIfWhole() {
        guard case .reading(let missing, _) = state, missing.isEmpty else { return }
        end()
    }

    /// Ends with what was heard.
    mutating func end() {
        guard case .reading(_, let waiter) = state else { return }
        state = .none
        waiter.resume(returning: found)
        found = [:]
    }
}
