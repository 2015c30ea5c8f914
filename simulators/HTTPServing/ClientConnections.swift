import Basics
import NIOCore

/// The open connections of a server, and which of them wait for their client: its request has not come, or it
/// does not read the answer. Who holds many of them open keeps nobody away: where there is no place, the one that
/// waits longest is closed, and each of them after a time.
final class ClientConnections: Sendable {
    private struct Waiting {
        let channel: any Channel
        let end: Scheduled<Void>
    }

    private struct State {
        var isClosed = false
        var open: [ObjectIdentifier: any Channel] = [:]
        /// The one that waits longest first.
        var waiting: [Waiting] = []
        /// The listener, while it accepts nobody.
        var held: (any Channel)?

        mutating func stopWaiting(_ channel: any Channel) {
            guard let index = waiting.firstIndex(where: { $0.channel === channel }) else { return }
            waiting.remove(at: index).end.cancel()
        }

        mutating func remove(_ channel: any Channel) {
            stopWaiting(channel)
            open[ObjectIdentifier(channel)] = nil
        }
    }

    private let limit: Int
    private let timeout: TimeAmount
    private let state = Guarded(State())

    init(atMost limit: Int, for timeout: Duration) {
        self.limit = limit
        self.timeout = TimeAmount(timeout)
    }

    /// A connection was accepted, and waits for its client.
    func open(_ channel: any Channel) {
        let evicted: (any Channel)? = state.withLock { state in
            let evicted = state.open.count >= limit ? state.waiting.first?.channel : nil
            if let evicted { state.remove(evicted) }
            state.open[ObjectIdentifier(channel)] = channel
            return evicted
        }
        evicted?.close(promise: nil)
        wait(channel)
    }

    /// A connection waits for its client from now on.
    func wait(_ channel: any Channel) {
        state.withLock { state in
            state.stopWaiting(channel)
            let timeout = state.isClosed ? .zero : timeout
            let end = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
            state.waiting.append(Waiting(channel: channel, end: end))
        }
        release()
    }

    /// A connection is answered.
    func stopWaiting(_ channel: any Channel) { state.withLock { $0.stopWaiting(channel) } }

    /// A connection has ended.
    func remove(_ channel: any Channel) {
        state.withLock { $0.remove(channel) }
        release()
    }

    /// Closes the connections that wait for their client, and from now on each that comes to wait for it: what it
    /// does not take at once it does not get.
    func closeWaiting() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return state.waiting.map(\.channel)
        }
        for channel in waiting { channel.close(promise: nil) }
    }

    /// Closes every connection.
    /// - Returns: what is fulfilled once they are closed.
    func closeAll() -> [EventLoopFuture<Void>] {
        let open = state.withLock { Array($0.open.values) }
        for channel in open { channel.close(promise: nil) }
        return open.map(\.closeFuture)
    }

    /// Whether the listener may accept one more. If not, it is told when to ask again.
    func mayAccept(on listener: any Channel) -> Bool {
        state.withLock { state in
            let mayAccept = hasPlace(state)
            state.held = mayAccept ? nil : listener
            return mayAccept
        }
    }

    private func hasPlace(_ state: State) -> Bool {
        state.open.count < limit || state.open.count == limit && !state.waiting.isEmpty
    }

    private func release() {
        let listener: (any Channel)? = state.withLock { state in
            guard hasPlace(state) else { return nil }
            defer { state.held = nil }
            return state.held
        }
        listener?.read()
    }
}

/// Has the system keep new connections while all of a server's are answered.
final class AcceptGate: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private let connections: ClientConnections

    init(_ connections: ClientConnections) { self.connections = connections }

    func read(context: ChannelHandlerContext) {
        if connections.mayAccept(on: context.channel) { context.read() }
    }
}
