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
        /// A socket is open and CONNACK has not come. The remaining addresses are still to be tried, all
        /// before `end`, nanoseconds.
        case connecting(address: String, remaining: ArraySlice<String>, end: UInt64)
        /// The broker accepted at this time.
        case connected(address: String, since: UInt64)
        /// Waits for its next attempt.
        case backingOff
        /// Failed for good; may be started again.
        case stopped
        /// Refuses new messages and waits for acknowledgements.
        indirect case draining(DrainProgress)
        /// DISCONNECT is written; waits for the broker to close.
        indirect case lingering(DrainProgress)
        /// Closed or aborted.
        case closed
    }

    /// An action that the owner must take.
    enum Action {
        /// Nothing.
        case none
        /// Find the addresses of ``broker`` and report ``resolved(_:)`` or ``failed(_:at:using:)``, within
        /// a deadline. The owner's configuration need not be checked again for an attempt after a failure.
        case resolve(isRetry: Bool)
        /// Ask for permission to connect and report ``permitted(until:)``. An attempt that follows a failure is
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
        /// Write DISCONNECT with these properties and half-close; report ``lingerEnded()``.
        case disconnect(MQTTDisconnectProperties)
        /// Release everything, report the drain if there was one, and tell the handler that it is closed.
        case finish(DrainProgress?)
    }

    private(set) var state = State.idle
    private var backoff: MQTTReconnectBackoff
    private var rotation: BrokerRotation

    /// `clientID` is nil if no other client can use the id; `brokers` is the number of brokers, at least one.
    init(policy: MQTTReconnectPolicy, clientID: MQTTClientID?, brokers: Int = 1) {
        backoff = MQTTReconnectBackoff(policy: policy, clientID: clientID?.rawValue)
        rotation = BrokerRotation(count: brokers)
    }

    init(_ configuration: MQTTConfiguration) {
        self.init(
            policy: configuration.reconnect,
            clientID: configuration.canClientIDBeShared ? configuration.clientID : nil,
            // A locator finds one broker, wherever it is.
            brokers: configuration.locator == nil ? configuration.fallbackBrokers.count + 1 : 1)
    }

    /// The index of the broker of the present attempt or connection; until the next attempt starts, of
    /// the one that failed.
    var broker: Int { rotation.index }

    /// Whether messages are accepted.
    var isConnected: Bool {
        if case .connected = state { true } else { false }
    }

    /// When the attempt at the present address ends: it and the addresses after it share the time that is left.
    func addressEnd(at now: UInt64) -> UInt64? {
        guard case .connecting(_, let remaining, let end) = state else { return nil }
        return now &+ max(1, (end - min(now, end)) / UInt64(remaining.count + 1))
    }

    /// Whether a socket may be open whose CONNACK has not come: a place among the attempts of the loop.
    var isConnecting: Bool {
        if case .connecting = state { true } else { false }
    }

    /// Whether the connection waits for permission to connect.
    var isQueued: Bool {
        if case .queued = state { true } else { false }
    }

    /// When the drain is over at the latest; nil if there is none.
    var drainEnd: UInt64? {
        if case .draining(let drain) = state { drain.end } else { nil }
    }

    /// The owner starts the connection.
    mutating func start() -> Action {
        switch state {
        case .idle, .stopped:
            backoff = MQTTReconnectBackoff(policy: backoff.policy, clientID: backoff.clientID)
            rotation.restart()
            state = .resolving
            return .resolve(isRetry: false)
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

    /// The connection may connect now; it has until `end`, whatever address it tries.
    mutating func permitted(until end: UInt64) -> Action {
        guard case .queued(let addresses) = state, let first = addresses.first else { return .none }
        state = .connecting(address: first, remaining: addresses.dropFirst(), end: end)
        return .open(address: first)
    }

    /// CONNACK with success.
    mutating func accepted(at now: UInt64) -> Action {
        guard case .connecting(let address, _, _) = state else { return .none }
        state = .connected(address: address, since: now)
        return .announceConnected(address: address)
    }

    /// The attempt failed or the connection broke.
    mutating func failed(
        _ error: MQTTError, at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> Action {
        switch state {
        case .connecting(_, let remaining, let end):
            if error.isAboutAddress, let next = remaining.first {
                state = .connecting(address: next, remaining: remaining.dropFirst(), end: end)
                return .open(address: next)
            }
            return backOff(error, uptime: nil, using: &generator)
        case .resolving, .queued:
            return backOff(error, uptime: nil, using: &generator)
        case .connected(_, let since):
            let uptime = Duration.nanoseconds(Int64(clamping: now - min(since, now)))
            return backOff(error, uptime: uptime, using: &generator)
        case .draining(let drain), .lingering(let drain):
            state = .closed
            return .finish(drain)
        case .idle, .backingOff, .stopped, .closed:
            return .none
        }
    }

    /// The delay before the next attempt is over.
    mutating func retryDue() -> Action {
        guard case .backingOff = state else { return .none }
        rotation.proceed()
        state = .resolving
        return .resolve(isRetry: true)
    }

    /// The owner closes the connection in order, or asks for that again.
    mutating func close(_ request: DrainProgress) -> Action {
        switch state {
        case .connected:
            state = .draining(request)
            return .drain
        case .idle, .resolving, .queued, .connecting, .backingOff, .stopped:
            state = .closed
            return .finish(request)
        case .draining, .lingering:
            changeDrain { $0.join(request) }
            return .none
        case .closed:
            return .none
        }
    }

    /// A message was acknowledged, or at QoS 0 written. Returns whether a drain may be over with that.
    mutating func delivered() -> Bool {
        changeDrain { $0.didDeliver() }
        return drainEnd != nil
    }

    /// No acknowledgement is outstanding, or the deadline of the drain has passed.
    mutating func drained() -> Action {
        guard case .draining(let drain) = state else { return .none }
        state = .lingering(drain)
        return .disconnect(drain.properties)
    }

    /// DISCONNECT was written.
    mutating func sentDisconnect() {
        changeDrain { $0.didSendDisconnect() }
    }

    /// The broker has closed its side, or its time to do so has passed.
    mutating func lingerEnded() -> Action {
        guard case .lingering(let drain) = state else { return .none }
        state = .closed
        return .finish(drain)
    }

    /// The owner aborts the connection, without DISCONNECT.
    mutating func abort() -> Action {
        switch state {
        case .closed: return .none
        case .draining(let drain), .lingering(let drain):
            state = .closed
            return .finish(drain)
        case .idle, .resolving, .queued, .connecting, .connected, .backingOff, .stopped:
            state = .closed
            return .finish(nil)
        }
    }

    private mutating func changeDrain(_ body: (inout DrainProgress) -> Void) {
        switch state {
        case .draining(var drain):
            body(&drain)
            state = .draining(drain)
        case .lingering(var drain):
            body(&drain)
            state = .lingering(drain)
        case .idle, .resolving, .queued, .connecting, .connected, .backingOff, .stopped, .closed:
            break
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
