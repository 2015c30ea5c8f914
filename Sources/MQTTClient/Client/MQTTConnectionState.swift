internal import Locking

/// How a client stands with its broker.
public enum MQTTConnectionState: Sendable {
    /// Not started, or ended in order.
    case closed
    /// The first attempt is under way.
    case connecting
    case connected(MQTTConnectionInfo)
    /// Being ended by the owner: no more messages are taken, acknowledgements are awaited.
    case closing
    /// Without `retryIn` there will be no other attempt.
    case disconnected(MQTTError, retryIn: Duration?)
}

/// Tells any number of listeners the latest state.
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
