import FlyingSocks
import FoundationEssentials
import Glibc

/// Answers other programs of this user over a socket that only this user can reach: every connection asks
/// once, in one line, and gets an answer of lines.
package struct LocalServer: Sendable {
    /// Is given a request, or why it cannot be read, and writes the answer.
    package typealias Answer =
        @Sendable (Result<[UInt8], LocalServicesError>, LocalConnection) async -> Void

    /// How long a program that has connected may take to ask.
    private static let requestLimit = Duration.seconds(5)
    /// Connections at a time; more wait in the listen backlog.
    private static let concurrentConnections = 512

    private let path: String
    private let limit: Int
    private let greeting: [UInt8]
    private let socket: Socket

    /// Begins to listen, in place of what a process left there that had this number.
    /// - Parameters:
    ///   - path: where the socket is made, with mode 0600, in a folder that nobody else can enter.
    ///   - limit: the longest request, in bytes.
    ///   - greeting: a line that is written before a request is read; `nil` for none.
    /// - Throws: ``LocalServicesError`` `system`.
    package init(
        at path: String, requestsOf limit: Int, greeting: [UInt8]? = nil
    ) throws(LocalServicesError) {
        self.path = path
        self.limit = limit
        self.greeting = greeting.map { $0 + [UInt8(ascii: "\n")] } ?? []
        unlink(path)
        do {
            socket = try Socket(domain: AF_UNIX)
        } catch { throw Self.failure(path, error) }
        do {
            try socket.bind(to: sockaddr_un(path: path))
            guard chmod(path, 0o600) == 0 else { throw SocketError.makeFailed("chmod") }
            try socket.listen()
        } catch {
            try? socket.close()
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: any Error) -> LocalServicesError {
        LocalServicesError(
            .system,
            "socket \(path): \(error); set XDG_RUNTIME_DIR to a writable folder of yours with a short name",
            underlying: error)
    }

    /// Answers until the task is cancelled, and removes the socket.
    /// - Throws: ``LocalServicesError`` where the socket cannot be used any more.
    package func run(
        _ answer: @escaping Answer
    ) async throws(LocalServicesError) {
        defer { unlink(path) }
        do {
            let pool: some AsyncSocketPool = .make()
            try await pool.prepare()
            let listener = try AsyncSocket(socket: socket, pool: pool)
            defer { try? listener.close() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.run() }
                group.addTask { try await accept(from: listener, answer) }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            // The end of the pool may come before that of the listener.
            guard !Task.isCancelled else { return }
            throw Self.failure(path, error)
        }
    }

    private func accept(
        from listener: AsyncSocket,
        _ answer: @escaping Answer
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            var connections = 0
            while true {
                do {
                    let connection = LocalConnection(try await listener.accept(), limit)
                    group.addTask {
                        defer { connection.close() }
                        guard (try? await connection.write(greeting)) != nil,
                            let (request, hasMore) = await connection.request(
                                within: Self.requestLimit)
                        else { return }
                        await answer(request, hasMore ? connection.interrupted : connection)
                    }
                    connections += 1
                } catch {
                    // Without a free descriptor the next program waits until a connection has ended.
                    guard !Task.isCancelled, connections > 0 else { throw error }
                    connections -= 1
                    try await group.next()
                }
                if connections == Self.concurrentConnections {
                    connections -= 1
                    try await group.next()
                }
            }
        }
    }
}

/// A program that has connected to a ``LocalServer``.
package struct LocalConnection: Sendable {
    /// A request, or why it cannot be used, and whether more came with it.
    fileprivate typealias Request = (Result<[UInt8], LocalServicesError>, hasMore: Bool)

    private let socket: AsyncSocket
    private let limit: Int
    private let isInterrupted: Bool

    fileprivate init(_ socket: AsyncSocket, _ limit: Int, isInterrupted: Bool = false) {
        self.socket = socket
        self.limit = limit
        self.isInterrupted = isInterrupted
    }

    /// The same, whose program has written more than its request already.
    fileprivate var interrupted: LocalConnection {
        LocalConnection(socket, limit, isInterrupted: true)
    }

    /// Writes lines, each with its end. Waits while the other program does not read.
    package func write(_ lines: [UInt8]) async throws {
        try await socket.write(Data(lines))
    }

    /// Returns when the other program writes more than its request, or goes away.
    package func interruption() async {
        if !isInterrupted { _ = try? await socket.read(atMost: 1) }
    }

    /// The first line, or why it cannot be used; `nil` where none comes.
    fileprivate func request(within limit: Duration) async -> Request? {
        await withTaskGroup(of: Request?.self) { group in
            group.addTask { await request() }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func request() async -> Request? {
        var lines = LineReader(limit: limit)
        do {
            while true {
                lines.append(try await socket.read(atMost: 4_096))
                if let line = try lines.next() { return (.success(line), !lines.isEmpty) }
            }
        } catch let error as LocalServicesError {
            return (.failure(error), false)
        } catch {
            return nil
        }
    }

    fileprivate func close() { try? socket.close() }
}
