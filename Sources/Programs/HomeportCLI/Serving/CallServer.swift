import FlyingSocks
import Glibc
import Homeport

/// Carries out calls of other `homeport` processes over a socket that only this user can reach.
struct CallServer: Sendable {
    /// Calls at a time; more wait in the listen backlog.
    static let concurrentCalls = 512

    private let home: Home
    private let dashboard: HomeDashboard?
    private let socket: Socket

    /// Begins to listen; ``run()`` answers.
    /// - Parameters:
    ///   - dashboard: the view in a browser; `nil` for none.
    ///   - path: where the socket is made, in a folder that nobody else can enter.
    init(
        _ home: Home, dashboard: HomeDashboard? = nil, at path: String
    ) throws(CommandLineError) {
        self.home = home
        self.dashboard = dashboard
        guard UnixSocket.address(of: path) != nil else {
            throw CommandLineError(
                .internalError,
                "the socket \(path) has too long a path; set XDG_RUNTIME_DIR to a shorter one")
        }
        do {
            socket = try Socket(domain: AF_UNIX)
            try socket.bind(to: .unix(path: path))
            guard chmod(path, 0o600) == 0 else { throw SocketError.makeFailed("chmod") }
            try socket.listen()
        } catch {
            throw CommandLineError(.internalError, "cannot listen on \(path): \(error)")
        }
    }

    /// Answers calls until the task is cancelled.
    func run() async throws {
        let pool: some AsyncSocketPool = .make()
        try await pool.prepare()
        let listener = try AsyncSocket(socket: socket, pool: pool)
        defer { try? listener.close() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask { try await accept(from: listener) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func accept(from listener: AsyncSocket) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            var calls = 0
            while true {
                do {
                    let socket = try await listener.accept()
                    group.addTask {
                        await ServedConversation(
                            home: home, dashboard: dashboard, socket: socket
                        ).run()
                    }
                    calls += 1
                } catch {
                    // Without a free descriptor the next caller waits until a call has ended.
                    guard !Task.isCancelled, calls > 0 else { throw error }
                    calls -= 1
                    try await group.next()
                }
                if calls == Self.concurrentCalls {
                    calls -= 1
                    try await group.next()
                }
            }
        }
    }
}
