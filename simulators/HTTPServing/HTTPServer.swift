import NIOCore
import NIOHTTP1
import NIOPosix
import SystemPackage

/// A small server of HTTP/1.1. Clients that are silent, slow or many keep nobody away.
package struct HTTPServer: Sendable {
    /// Where it listens.
    package let port: UInt16
    private let listener: any Channel
    private let connections: ClientConnections
    private let exchanges: AsyncStream<HTTPExchange>
    private let source: AsyncStream<HTTPExchange>.Continuation

    /// Begins to listen.
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address in numbers, without brackets.
    ///   - port: 0 for one that the system chooses.
    /// - Throws: ``HTTPServerError``.
    package init(
        on host: String, port: UInt16, within limits: HTTPServerLimits
    ) async throws(HTTPServerError) {
        let connections = ClientConnections(atMost: limits.connections, for: limits.timeout)
        // Each connection has one request at a time, and one connection more than places may be answered.
        let (exchanges, source) = AsyncStream.makeStream(
            of: HTTPExchange.self, bufferingPolicy: .bufferingOldest(limits.connections + 1))
        do {
            // Listener and connections share one loop, so that no connection is between two of them.
            listener = try await ServerBootstrap(
                group: MultiThreadedEventLoopGroup.singleton.next()
            )
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Each connection is counted before the next one is accepted.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptGate(connections))
                }
            }
            // A client that sends nothing more still gets its answer.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.configure(within: limits, connections, source)
                }
            }
            .bind(host: host, port: Int(port)).get()
        } catch { throw HTTPServerError(error) }
        self.port = listener.localAddress?.port.map { UInt16($0) } ?? port
        self.connections = connections
        self.exchanges = exchanges
        self.source = source
    }

    /// Answers requests until the task is cancelled; then the port is free again and every connection closed.
    /// May be called once.
    /// - Parameters:
    ///   - answer: says what becomes of a request. What it throws ends the server.
    ///   - sent: is called once an answer was sent, or its connection has ended.
    /// - Throws: what `answer` throws, or `CancellationError`.
    package func run(
        _ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPOutcome,
        sent: @escaping @Sendable () -> Void = {}
    ) async throws {
        do {
            try await withTaskCancellationHandler {
                try await answerAll(answer, sent: sent)
            } onCancel: {
                stop()
            }
        } catch {
            await end()
            throw error
        }
        await end()
    }

    private func answerAll(
        _ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPOutcome,
        sent: @escaping @Sendable () -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await exchange in exchanges {
                group.addTask {
                    do {
                        await exchange.finish(try await answer(exchange.request))
                        sent()
                    } catch {
                        stop()
                        throw error
                    }
                }
            }
            try Task.checkCancellation()
        }
    }

    /// Takes no more requests. Those that are answered still get their answers.
    private func stop() {
        source.finish()
        listener.close(promise: nil)
        connections.closeWaiting()
    }

    /// Returns once the listener and every connection are closed.
    private func end() async {
        stop()
        try? await listener.closeFuture.get()
        for closing in connections.closeAll() { try? await closing.get() }
    }
}

/// One request that waits for its answer.
struct HTTPExchange: Sendable {
    let request: HTTPRequest
    let channel: any Channel

    /// Returns once the client has, or will get, the answer; or its connection has ended.
    func finish(_ outcome: HTTPOutcome) async {
        try? await channel.triggerUserOutboundEvent(outcome)
    }
}

extension Channel {
    /// Makes requests of what a client sends.
    fileprivate func configure(
        within limits: HTTPServerLimits, _ connections: ClientConnections,
        _ source: AsyncStream<HTTPExchange>.Continuation
    ) throws {
        var heads = NIOHTTPDecoderLimitConfiguration()
        (heads.maxHeaderFieldSize, heads.maxHeaderListSize) = (limits.head, limits.head)
        try pipeline.syncOperations.configureHTTPServerPipeline(
            withErrorHandling: false, withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: heads)
        try pipeline.syncOperations.addHandler(
            HTTPConnectionHandler(within: limits, among: connections, source))
    }
}

/// A server cannot listen.
package struct HTTPServerError: Error, CustomStringConvertible {
    /// Why, in the system's words.
    package let description: String
    /// What swift-nio threw.
    package let underlying: any Error

    init(_ error: any Error) {
        underlying = error
        let number = (error as? IOError)?.errnoCode
        description = number.map { "\(Errno(rawValue: $0))" } ?? "\(error)"
    }
}
