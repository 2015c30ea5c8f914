internal import Basics

/// The state of a client's connection.
public enum MQTTConnectionState: Sendable {
    /// Not started, or closed in order.
    case closed
    /// The first attempt is under way.
    case connecting
    case connected(MQTTConnectionInfo)
    /// Being closed by the owner: new messages are refused, outstanding acknowledgements awaited.
    case closing
    /// Lost or failed; if `retryIn` is nil, there will be no other attempt.
    case disconnected(MQTTError, retryIn: Duration?)
}

/// Sends the latest state to any number of listeners.
final class ConnectionStateBroadcaster: Sendable {
    private struct Listeners {
        var state = MQTTConnectionState.closed
        var next: UInt64 = 0
        var continuations: [UInt64: AsyncStream<MQTTConnectionState>.Continuation] = [:]
    }

    private let listeners = Guarded(Listeners())

    /// The present state and its changes; a slow reader sees only the latest.
    func stream() -> AsyncStream<MQTTConnectionState> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let identifier = listeners.withLock { listeners in
                listeners.next += 1
                listeners.continuations[listeners.next] = continuation
                continuation.yield(listeners.state)
                return listeners.next
            }
            continuation.onTermination = { [weak self] _ in
                self?.remove(identifier)
            }
        }
    }

    func publish(_ state: MQTTConnectionState) {
        listeners.withLock { listeners in
            listeners.state = state
            for continuation in listeners.continuations.values { continuation.yield(state) }
        }
    }

    func finish() {
        let continuations = listeners.withLock { listeners in
            defer { listeners.continuations = [:] }
            return Array(listeners.continuations.values)
        }
        for continuation in continuations { continuation.finish() }
    }

    private func remove(_ identifier: UInt64) {
        let removed = listeners.withLock {
            $0.continuations.removeValue(forKey: identifier)
        }
        _ = removed
    }

    deinit {
        finish()
    }
}
