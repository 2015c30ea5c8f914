import FlyingSocks
import ServiceLifecycle

/// Answers whoever connects to a socket: every connection asks once, gets its answer and is closed.
struct ShortAnswers: Sendable {
    /// How long one request and its answer may take; a client that is slower is disconnected.
    private static let requestTimeout: Duration = .seconds(5)

    /// A socket that listens.
    let socket: Socket
    /// Connections answered at the same time; more wait in the listen backlog.
    let concurrentConnections: Int

    /// Answers until the process shuts down.
    /// - Parameter answer: reads the request of a connection and writes the answer.
    /// - Throws: what keeps the socket from being used.
    func run(_ answer: @escaping @Sendable (AsyncSocket) async throws -> Void) async throws {
        let pool: some AsyncSocketPool = .make()
        do {
            try await pool.prepare()
            let listener = try AsyncSocket(socket: socket, pool: pool)
            defer { try? listener.close() }
            try await cancelWhenGracefulShutdown { try await serve(listener, pool, answer) }
        } catch is CancellationError {
            return
        } catch {
            // The end of the pool may come before that of the listener.
            guard Task.isShuttingDownGracefully else { throw error }
        }
    }

    private func serve(
        _ listener: AsyncSocket, _ pool: some AsyncSocketPool,
        _ answer: @escaping @Sendable (AsyncSocket) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            for _ in 0..<concurrentConnections {
                group.addTask {
                    while true { await converse(over: try await listener.accept(), answer) }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func converse(
        over connection: AsyncSocket,
        _ answer: @escaping @Sendable (AsyncSocket) async throws -> Void
    ) async {
        defer { try? connection.close() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await answer(connection) }
            group.addTask { try? await Task.sleep(for: Self.requestTimeout) }
            await group.next()
            group.cancelAll()
        }
    }
}
