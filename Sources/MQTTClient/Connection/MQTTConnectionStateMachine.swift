/// The state machine of a connection, a value type: each event changes the state and returns the action
/// that the owner must take. Uses no socket, clock or random generator of its own; times are nanoseconds
/// of the owner's clock.
struct MQTTConnectionStateMachine {
    /// The states of a connection.
    enum State {
        /// Not started.
        case idle
        /// Waits for the address of the broker.
        case resolving
        /// Waits until fewer connection attempts are under way.
        case queued([String])
        /// A socket is open and CONNACK has not come; these addresses are still to be tried.
        case connecting(address: String, remaining: ArraySlice<String>)
        /// The broker accepted at this time.
        case connected(address: String, since: UInt64)
        /// Waits for its next attempt.
        case backingOff
        /// Failed for good; may be started again.
        case stopped
        /// Refuses new messages and waits for acknowledgements.
        case draining
        /// DISCONNECT is written; waits for the broker to close.
        case lingering
        /// Closed or aborted.
        case closed
    }

    /// An action that the owner must take.
    enum Action {
        /// Nothing.
        case none
        /// Find the addresses of ``broker`` and report ``resolved(_:)`` or ``failed(_:at:using:)``, within
        /// a deadline.
        case resolve
        /// Ask for permission to connect and report ``permitted()``. An attempt that follows a failure is
        /// charged to the budget of the loop.
        case awaitPermission(isRetry: Bool)
        /// Release any earlier socket and connect to the address, with a deadline for CONNACK.
        case open(address: String)
        /// Tell the handler that the connection is established, and start keep-alive.
        case announceConnected(address: String)
        /// Release the connection, tell the handler, and report ``retryDue()`` after the delay.
        case retry(MQTTError, after: Duration)
        /// Release the connection and tell the handler that the failure is final.
        case stop(MQTTError)
        /// Refuse new messages; report ``drained()`` once nothing is outstanding, or at the deadline.
        case drain
        /// Write DISCONNECT and half-close; report ``lingerEnded()``.
        case disconnect
        /// Release everything and tell the handler that it is closed.
        case finish
    }

    private(set) var state = State.idle
    private var backoff: MQTTReconnectBackoff
    private var rotation: BrokerRotation

    /// `clientID` is nil if no other client can use the id; `brokers` is the number of brokers, at least one.
    init(policy: MQTTReconnectPolicy, clientID: MQTTClientID?, brokers: Int = 1) {
        backoff = MQTTReconnectBackoff(policy: policy, clientID: clientID?.rawValue)
        rotation = BrokerRotation(count: brokers)
    }

    /// The index of the broker of the present attempt or connection; until the next attempt starts, of
    /// the one that failed.
    var broker: Int { rotation.index }

    /// Whether messages are accepted.
    var isConnected: Bool {
        if case .connected = state { true } else { false }
    }

    /// Whether the owner has closed it and queued messages may still be sent.
    var isDraining: Bool {
        if case .draining = state { true } else { false }
    }

    /// The owner starts the connection.
    mutating func start() -> Action {
        switch state {
        case .idle, .stopped:
            backoff = MQTTReconnectBackoff(policy: backoff.policy, clientID: backoff.clientID)
            rotation.restart()
            state = .resolving
            return .resolve
        case .resolving, .queued, .connecting, .connected, .backingOff, .draining, .lingering,
            .closed:
            return .none
        }
    }

    /// The broker's host name was resolved to these addresses, at least one.
    mutating func resolved(_ addresses: [String]) -> Action {
        guard case .resolving = state else { return .none }
        state = .queued(addresses)
        return .awaitPermission(isRetry: backoff.failures > 0)
    }

    /// The connection may connect now.
    mutating func permitted() -> Action {
        guard case .queued(let addresses) = state, let first = addresses.first else { return .none }
        state = .connecting(address: first, remaining: addresses.dropFirst())
        return .open(address: first)
    }

    /// CONNACK with success.
    mutating func accepted(at now: UInt64) -> Action {
        guard case .connecting(let address, _) = state else { return .none }
        state = .connected(address: address, since: now)
        return .announceConnected(address: address)
    }

    /// The attempt failed or the connection broke.
    mutating func failed(
        _ error: MQTTError, at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> Action {
        switch state {
        case .connecting(_, let remaining):
            if error.isAboutAddress, let next = remaining.first {
                state = .connecting(address: next, remaining: remaining.dropFirst())
                return .open(address: next)
            }
            return backOff(error, uptime: nil, using: &generator)
        case .resolving, .queued:
            return backOff(error, uptime: nil, using: &generator)
        case .connected(_, let since):
            let uptime = Duration.nanoseconds(Int64(clamping: now - min(since, now)))
            return backOff(error, uptime: uptime, using: &generator)
        case .draining, .lingering:
            state = .closed
            return .finish
        case .idle, .backingOff, .stopped, .closed:
            return .none
        }
    }

    /// The delay before the next attempt is over.
    mutating func retryDue() -> Action {
        guard case .backingOff = state else { return .none }
        rotation.proceed()
        state = .resolving
        return .resolve
    }

    /// The owner closes the connection in order.
    mutating func close() -> Action {
        switch state {
        case .connected:
            state = .draining
            return .drain
        case .idle, .resolving, .queued, .connecting, .backingOff, .stopped:
            state = .closed
            return .finish
        case .draining, .lingering, .closed:
            return .none
        }
    }

    /// No acknowledgement is outstanding, or the deadline of the drain has passed.
    mutating func drained() -> Action {
        guard case .draining = state else { return .none }
        state = .lingering
        return .disconnect
    }

    /// The broker has closed its side, or its time to do so has passed.
    mutating func lingerEnded() -> Action {
        guard case .lingering = state else { return .none }
        state = .closed
        return .finish
    }

    /// The owner aborts the connection, without DISCONNECT.
    mutating func abort() -> Action {
        switch state {
        case .closed: return .none
        case .idle, .resolving, .queued, .connecting, .connected, .backingOff, .stopped, .draining,
            .lingering:
            state = .closed
            return .finish
        }
    }

    private mutating func backOff(
        _ error: MQTTError, uptime: Duration?, using generator: inout some RandomNumberGenerator
    ) -> Action {
        switch backoff.decide(after: error, uptime: uptime, using: &generator) {
        case .retry(let error, let delay):
            rotation.failed(
                afterStableConnection: uptime.map { $0 >= backoff.policy.stableAfter } ?? false)
            state = .backingOff
            return .retry(error, after: delay)
        case .stop(let error):
            state = .stopped
            return .stop(error)
        }
    }
}

extension MQTTError {
    /// Whether to try the broker's next address at once.
    fileprivate var isAboutAddress: Bool {
        code == .unreachable || code == .connectTimeout
    }
}
