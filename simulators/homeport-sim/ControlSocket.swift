import FlyingSocks
import FoundationEssentials
import Glibc
import LocalBroker
import ServiceLifecycle

/// The socket at which a running fleet answers `homeport-sim status`: `control-PID.sock` in the user's own
/// folder, mode 0600. Every connection gets the answer and is closed.
struct ControlSocket: Service {
    /// Connections answered at the same time; more wait in the listen backlog.
    private static let concurrentConnections = 2

    private let path: String
    private let socket: Socket
    private let answer: @Sendable () async -> [UInt8]

    /// Listens at once.
    /// - Throws: `LocalBrokerError` where the user's folder is not safe, ``ControlSocketError`` where the socket
    ///   cannot be made.
    init(
        at meetingPoint: MeetingPoint, answering answer: @escaping @Sendable () async -> [UInt8]
    ) throws {
        path = try meetingPoint.controlSocket(of: getpid())
        self.answer = answer
        unlink(path)
        let socket = try Socket(domain: AF_UNIX)
        do {
            try socket.bind(to: .unix(path: path))
            guard chmod(path, 0o600) == 0 else { throw SocketError.makeFailed("chmod") }
            try socket.listen()
        } catch {
            try? socket.close()
            throw ControlSocketError(path: path, reason: "\(error)")
        }
        self.socket = socket
    }

    func run() async throws {
        defer { unlink(path) }
        let pool: some AsyncSocketPool = .make()
        do {
            try await pool.prepare()
            let listener = try AsyncSocket(socket: socket, pool: pool)
            defer { try? listener.close() }
            try await cancelWhenGracefulShutdown { try await serve(listener, pool) }
        } catch is CancellationError { return }
    }

    private func serve(_ listener: AsyncSocket, _ pool: some AsyncSocketPool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            for _ in 0..<Self.concurrentConnections {
                group.addTask {
                    while true {
                        let connection = try await listener.accept()
                        try? await connection.write(Data(await answer()))
                        try? connection.close()
                    }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

/// The control socket cannot be made.
struct ControlSocketError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String {
        "control socket \(path): \(reason); set XDG_RUNTIME_DIR to a writable folder of yours with a short name"
    }
}
