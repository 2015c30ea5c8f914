private import Glibc

/// Takes the place of the network between a connection and its broker.
///
/// It takes over the socket of the connection, and leaves the library one end of a pair in its place, under the
/// same descriptor. So whatever the library and TLS read and write goes through it, and a connection without a
/// relay is not touched. It outlives its connection as long as something is on its way to the broker.
final class LinkRelay {
    private enum State {
        /// Both sides are there.
        case relaying(toBroker: LinkPath, toClient: LinkPath)
        /// The client has closed its side; its last bytes are on their way.
        case leaving(toBroker: LinkPath)
        /// The broker's side is gone, and the client has not heard of it.
        case severed
        case closed
    }

    /// A descriptor of the relay, and what the poller watches it for; nil if it does not watch it.
    private struct Watch {
        let descriptor: Int32
        let token: UInt64
        var interest: Poller.Interest?
    }

    let id: UInt32
    private unowned let core: EventLoopCore
    /// The socket to the broker.
    private var outer: Watch
    /// The other end of what the library has in its place.
    private var inner: Watch
    private var state: State
    private var conditions: LinkConditions
    /// Whether the broker knew the connection before.
    private let wasConnected: Bool
    private(set) var deadline = ConnectionDeadline()

    /// Takes over a socket that the poller does not watch.
    /// - Parameter wasConnected: whether the broker has accepted the client on it.
    /// - Throws: `resourcesExhausted` without descriptors; then nothing has changed.
    init(
        of socket: Int32, wasConnected: Bool, _ conditions: LinkConditions, seed: UInt64,
        id: UInt32, on core: EventLoopCore
    ) throws(MQTTError) {
        var pair: [Int32] = [-1, -1]
        let outer = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        guard outer >= 0, socketpair(AF_UNIX, Int32(kind), 0, &pair) == 0 else {
            let reason = errno
            if outer >= 0 { close(outer) }
            throw MQTTError(
                .resourcesExhausted,
                "no descriptor for a shaped link (\(MQTTError.text(of: reason))); raise the limit",
                systemError: reason, isRetriable: true)
        }
        dup2(pair[0], socket)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        close(pair[0])
        self.id = id
        self.core = core
        self.outer = Watch(descriptor: outer, token: LinkRelays.token(id, .outer))
        self.inner = Watch(descriptor: pair[1], token: LinkRelays.token(id, .inner))
        self.conditions = conditions
        self.wasConnected = wasConnected
        state = .relaying(
            toBroker: LinkPath(
                from: pair[1], to: outer, LinkShaper(conditions, seed: seed)),
            toClient: LinkPath(
                from: outer, to: pair[1], LinkShaper(conditions, seed: ~seed)))
    }

    deinit {
        // The loop has ended.
        switch state {
        case .relaying, .leaving, .severed: closeDescriptors()
        case .closed: break
        }
    }

    // MARK: Events

    /// One of the descriptors is ready.
    func ready(_ side: LinkRelays.Side, isBroken: Bool) {
        if side == .inner, isBroken { clientHasGone() }
        work()
    }

    /// An entry of the timer queue is due.
    func timerFired(_ entry: UInt64) {
        switch deadline.fired(entry, at: core.now) {
        case .stale: break
        case .moved(let time): arm(at: time)
        case .reached: work()
        }
    }

    /// The link has other conditions.
    func change(to conditions: LinkConditions) {
        self.conditions = conditions
        switch state {
        case .relaying(var toBroker, var toClient):
            toBroker.change(to: conditions, at: core.now)
            toClient.change(to: conditions, at: core.now)
            state = .relaying(toBroker: toBroker, toClient: toClient)
        case .leaving(var toBroker):
            toBroker.change(to: conditions, at: core.now)
            state = .leaving(toBroker: toBroker)
        case .severed, .closed: return
        }
        work()
    }

    /// The broker's side ends, with RST; the client does not hear of it.
    func sever() {
        switch state {
        case .relaying, .leaving:
            core.poller.remove(outer.descriptor)
            Self.reset(outer.descriptor)
            state = .severed
            work()
        case .severed, .closed: break
        }
    }

    /// The client hears that the broker's side is gone.
    func tellClient() {
        switch state {
        case .severed: end()
        case .relaying, .leaving, .closed: break
        }
    }

    /// Ends the connection for both sides, for the broker with RST.
    func reset() {
        switch state {
        case .relaying, .leaving:
            Self.armReset(outer.descriptor)
            end()
        case .severed: end()
        case .closed: break
        }
    }

    /// Reads, writes and sets what to wait for.
    func work() {
        switch state {
        case .relaying(var toBroker, var toClient):
            state = .closed
            toBroker.work(at: core.now)
            toClient.work(at: core.now)
            state = .relaying(toBroker: toBroker, toClient: toClient)
            if toBroker.isDone, toClient.isDone { return end() }
        case .leaving(var toBroker):
            state = .closed
            toBroker.work(at: core.now)
            state = .leaving(toBroker: toBroker)
            if toBroker.isDone || hasEnded(outer.descriptor) { return end() }
        case .severed:
            if hasEnded(inner.descriptor) { return end() }
        case .closed: return
        }
        wait()
    }

    private func clientHasGone() {
        switch state {
        case .relaying(let toBroker, _):
            let isKnown = wasConnected || toBroker.hasDelivered
            // Of an attempt that never got through the broker hears nothing.
            guard isKnown || conditions.passage == .open else { return reset() }
            state = .leaving(toBroker: toBroker)
        case .leaving, .severed, .closed: break
        }
    }

    /// Forgets what a socket gives. Returns whether it has ended.
    private func hasEnded(_ socket: Int32) -> Bool {
        while true {
            switch LinkPath.receive(from: socket, atMost: 4_096) {
            case .bytes: continue
            case .nothing: return false
            case .end: return true
            }
        }
    }

    // MARK: Waiting

    private func wait() {
        switch state {
        case .relaying(let toBroker, let toClient):
            watch(&outer, reading: toClient.wantsToRead, writing: toBroker.wantsToWrite)
            watch(
                &inner, reading: toBroker.wantsToRead, writing: toClient.wantsToWrite,
                // That the client is gone is always worth knowing.
                always: true)
            arm(at: [toBroker.next, toClient.next].compactMap(\.self).min())
        case .leaving(let toBroker):
            watch(&outer, reading: true, writing: toBroker.wantsToWrite)
            watch(&inner, reading: toBroker.wantsToRead, writing: false)
            arm(at: toBroker.next)
        case .severed: watch(&inner, reading: true, writing: false)
        case .closed: break
        }
    }

    /// A descriptor that is watched for nothing would still report that it is broken, again and again.
    private func watch(
        _ watch: inout Watch, reading: Bool, writing: Bool, always isAlways: Bool = false
    ) {
        var events: Poller.Interest = reading ? .read : []
        if writing { events.insert(.write) }
        let wanted = events.isEmpty && !isAlways ? nil : events
        guard wanted != watch.interest else { return }
        switch (watch.interest, wanted) {
        case (_, nil): core.poller.remove(watch.descriptor)
        case (nil, let wanted?):
            _ = core.poller.add(watch.descriptor, token: watch.token, interest: wanted)
        case (_?, let wanted?):
            core.poller.change(watch.descriptor, token: watch.token, interest: wanted)
        }
        watch.interest = wanted
    }

    private func arm(at time: UInt64?) {
        guard let time, deadline.set(to: time) else { return }
        core.schedule(.relay(id), at: time)
    }

    // MARK: The end

    private func end() {
        closeDescriptors()
        state = .closed
        core.relays.remove(id)
    }

    private func closeDescriptors() {
        switch state {
        case .relaying, .leaving: close(outer.descriptor)
        case .severed, .closed: break
        }
        close(inner.descriptor)
    }

    /// Has the end of a socket be RST instead of FIN.
    static func armReset(_ socket: Int32) {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    private static func reset(_ socket: Int32) {
        armReset(socket)
        close(socket)
    }
}
