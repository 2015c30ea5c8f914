internal import Basics
private import Glibc
private import MQTTClient

/// Runs a client against a scripted broker: `client` in the calling task, `broker` on a thread of its own,
/// where it may block. When the client side is done, the broker's sockets are closed and what its script
/// throws from then on is forgotten; what it threw before is thrown here.
package func withFakeBroker<Value>(
    _ client: (FakeBroker) async throws -> Value,
    broker script: @escaping @Sendable (FakeBroker) throws -> Void
) async throws -> Value {
    let broker = try FakeBroker()
    async let scripted: Void = onThread { try broker.run(script) }
    do {
        let value = try await client(broker)
        broker.stop()
        try await scripted
        return value
    } catch {
        broker.stop()
        // A failed script is the better explanation of a failed client.
        try await scripted
        throw error
    }
}

/// A broker made of a script. It listens on a free loopback port and speaks only what it is told to. After the
/// end of its script a client that closes its side is closed too.
package final class FakeBroker: Sendable {
    private struct State {
        var isStopped = false
        var peers: [FakeBrokerPeer] = []
    }

    private let listener: LoopbackListener
    private let state = Guarded(State())
    /// What the script reported with ``signal()``, for the client side to wait for.
    package let signals: AsyncStream<Void>
    private let sink: AsyncStream<Void>.Continuation
    private let steps = FakeBrokerSteps()

    package init() throws(TestSupportError) {
        (signals, sink) = AsyncStream.makeStream()
        listener = try LoopbackListener()
    }

    package var port: UInt16 { listener.port }

    /// Where clients connect.
    package var url: String { "mqtt://127.0.0.1:\(port)" }

    /// Waits for the next client and returns its connection, on which nothing has been read.
    package func accept() throws -> FakeBrokerPeer {
        let peer = try nextPeer()
        let isStopped = state.withLock { state in
            state.peers.append(peer)
            return state.isStopped
        }
        if isStopped { peer.cut() }
        return peer
    }

    /// Waits for the next client and turns it away with RST.
    package func refuse() throws {
        try nextPeer().reset()
    }

    private func nextPeer() throws -> FakeBrokerPeer {
        let descriptor = Glibc.accept(listener.descriptor, nil, nil)
        guard descriptor >= 0 else { throw TestSupportError("no client: errno \(errno)") }
        return FakeBrokerPeer(descriptor: descriptor)
    }

    /// Waits for the next client, reads its CONNECT and accepts it.
    package func acceptConnected(
        sessionPresent: Bool = false, properties: [UInt8] = []
    ) throws -> FakeBrokerPeer {
        let peer = try accept()
        _ = try peer.readConnect()
        try peer.send(
            .connack(peer.version, sessionPresent: sessionPresent, properties: properties))
        return peer
    }

    /// Serves one client after the other until the test ends. What a client breaks off is its own affair:
    /// it may leave at any time.
    package func serve(_ script: (FakeBrokerPeer) throws -> Void) throws {
        while true {
            let peer = try accept()
            do {
                try script(peer)
                peer.cutWhenClientCloses()
            } catch { peer.cut() }
        }
    }

    /// Tells the client side, from the script, that a point is reached.
    package func signal() {
        sink.yield()
    }

    /// Waits, on the client side, until the script has signalled once more.
    package func signalled() async {
        var iterator = signals.makeAsyncIterator()
        _ = await iterator.next()
    }

    /// Lets the script go on, from the client side; see ``awaitProceed()``.
    package func proceed() {
        steps.add()
    }

    /// Waits, in the script, for the client side's next ``proceed()``.
    package func awaitProceed() throws {
        try steps.take()
        guard !state.withLock({ $0.isStopped }) else {
            throw TestSupportError("the test has ended")
        }
    }

    func run(_ script: @Sendable (FakeBroker) throws -> Void) throws {
        defer { sink.finish() }
        do {
            try script(self)
            // A client that closes in order waits for its peer.
            for peer in state.withLock({ $0.peers }) { peer.cutWhenClientCloses() }
        } catch {
            let isStopped = state.withLock { $0.isStopped }
            if !isStopped {
                stop()
                throw error
            }
        }
    }

    func stop() {
        // First, so that a script whose waiting this ends is known to have been ended.
        let peers = state.withLock { state in
            state.isStopped = true
            return state.peers
        }
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
        for peer in peers { peer.cut() }
        steps.add()
    }

    deinit {
        listener.close()
    }
}
