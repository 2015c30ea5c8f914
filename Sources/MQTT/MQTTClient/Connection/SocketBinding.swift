/// The socket of a connection, and what the loop watches it for. A value type: the owner makes the system calls.
struct SocketBinding {
    /// How far the library's socket is.
    enum Stage {
        /// The TCP connection is not known to be established.
        case opening
        /// It is established. A locator has not confirmed the broker yet.
        case established
        /// Packets are written and read.
        case confirmed
        /// The owner wants no packets to be read.
        case paused
        /// The library has reported the end of the connection; that its socket is closed is still to be seen.
        indirect case ended(MQTTError)
    }

    /// What this round of the loop has to do for the socket when it ends.
    enum Flush {
        /// Nothing.
        case none
        /// Write the queued packets.
        case scheduled
        /// The same; data was read that nothing written acknowledges yet.
        case scheduledAfterReading
    }

    private struct Open {
        let handle: MosquittoHandle
        let descriptor: Int32
        var interest: Poller.Interest
        var stage = Stage.opening
        /// What is between the library and the network, where a simulator shapes it.
        var relay: LinkRelay?
    }

    private enum State {
        case closed
        /// A socket of the library, for one attempt to connect.
        case open(Open)
        /// A duplicate of it after DISCONNECT, open until the broker has closed its side.
        case lingering(LingeringSocket)
    }

    private var state = State.closed
    private var flush = Flush.none
    /// Identifies the socket to the poller; 0 if there is none.
    private(set) var token: UInt64 = 0

    // MARK: The socket

    /// A new handle has a socket, which the poller watches.
    mutating func open(
        _ handle: MosquittoHandle, descriptor: Int32, token: UInt64, interest: Poller.Interest
    ) {
        state = .open(Open(handle: handle, descriptor: descriptor, interest: interest))
        flush = .none
        self.token = token
    }

    /// DISCONNECT is about to be written; the duplicate is watched from now on.
    mutating func linger(on duplicate: LingeringSocket, token: UInt64) {
        state = .lingering(duplicate)
        flush = .none
        self.token = token
    }

    /// A relay has taken the place of the network.
    mutating func relayed(by relay: LinkRelay) {
        change { $0.relay = relay }
    }

    /// There is no socket any more. Returns the duplicate that the owner must close.
    mutating func close() -> LingeringSocket? {
        defer { self = SocketBinding() }
        return lingering
    }

    /// The library's handle, if its socket is open.
    var handle: MosquittoHandle? {
        switch state {
        case .open(let open): open.handle
        case .closed, .lingering: nil
        }
    }

    /// What is between the library's socket and the network, if anything is.
    var relay: LinkRelay? {
        switch state {
        case .open(let open): open.relay
        case .closed, .lingering: nil
        }
    }

    /// What the poller watches the library's socket for.
    var interest: Poller.Interest {
        switch state {
        case .open(let open): open.interest
        case .closed, .lingering: []
        }
    }

    /// The duplicate that is open after DISCONNECT.
    var lingering: LingeringSocket? {
        switch state {
        case .lingering(let duplicate): duplicate
        case .closed, .open: nil
        }
    }

    // MARK: The stage

    /// The stage of an open socket.
    var stage: Stage? {
        switch state {
        case .open(let open): open.stage
        case .closed, .lingering: nil
        }
    }

    /// Why the library ended the connection, until the end is seen.
    var cause: MQTTError? {
        if case .ended(let error) = stage { error } else { nil }
    }

    /// Whether a locator has to confirm the broker before CONNECT is written.
    var awaitsConfirmation: Bool {
        switch stage {
        case .opening, .established: true
        case .confirmed, .paused, .ended, nil: false
        }
    }

    /// Whether packets are read.
    var isReading: Bool {
        if case .paused = stage { false } else { true }
    }

    /// The TCP connection is established.
    mutating func established() {
        guard case .opening = stage else { return }
        change { $0.stage = .established }
    }

    /// CONNECT may be written.
    mutating func confirmed() {
        switch stage {
        case .opening, .established: change { $0.stage = .confirmed }
        case .confirmed, .paused, .ended, nil: break
        }
    }

    /// Stops reading. Returns false if it changes nothing.
    mutating func pause() -> Bool {
        guard case .confirmed = stage else { return false }
        change { $0.stage = .paused }
        return true
    }

    /// Reads again. Returns false if it changes nothing.
    mutating func resume() -> Bool {
        guard case .paused = stage else { return false }
        change { $0.stage = .confirmed }
        return true
    }

    /// The library has reported the end of the connection. An earlier reason stays.
    mutating func ended(because error: MQTTError) {
        guard cause == nil else { return }
        change { $0.stage = .ended(error) }
    }

    // MARK: Events

    /// Whether to read after these events. `readsWhenWritable` says that TLS waits for room before it reads.
    func reads(after readiness: Poller.Readiness, readsWhenWritable: Bool) -> Bool {
        if readiness.isBroken { return true }
        return isReading && (readiness.isReadable || readiness.isWritable && readsWhenWritable)
    }

    /// What the poller must watch the socket for from now on; nil if nothing changes.
    mutating func interest(
        awaitingWritability: Bool
    ) -> (descriptor: Int32, interest: Poller.Interest)? {
        guard case .open(let open) = state else { return nil }
        var wanted: Poller.Interest = isReading ? .read : []
        if awaitingWritability { wanted.insert(.write) }
        guard wanted != open.interest else { return nil }
        change { $0.interest = wanted }
        return (open.descriptor, wanted)
    }

    /// Packets are queued, or were read. Returns whether the flush was not scheduled before.
    mutating func scheduleFlush(afterReading: Bool = false) -> Bool {
        switch flush {
        case .none:
            guard handle != nil else { return false }
            flush = afterReading ? .scheduledAfterReading : .scheduled
            return true
        case .scheduled:
            if afterReading { flush = .scheduledAfterReading }
            return false
        case .scheduledAfterReading: return false
        }
    }

    /// The flush begins.
    mutating func takeFlush() -> Flush {
        defer { flush = .none }
        return flush
    }

    private mutating func change(_ body: (inout Open) -> Void) {
        guard case .open(var open) = state else { return }
        body(&open)
        state = .open(open)
    }
}

extension SocketBinding {
    /// What an attempt to connect still lacks, for the error of its deadline.
    var missing: String {
        switch stage {
        case nil: "its address was not found, check the resolver"
        case .opening: "no TCP connection came about, check the address and firewalls"
        case .established, .confirmed, .paused, .ended:
            handle?.isHandshaking == true
                ? "the TLS handshake was not finished, check that it speaks TLS there"
                : "no CONNACK came, check that an MQTT broker listens there"
        }
    }
}
