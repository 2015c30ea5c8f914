import FleetControl
import FlyingSocks
import FoundationEssentials
import Glibc
import LocalBroker
import ServiceLifecycle

/// The socket at which a running fleet answers `homeport-sim status` and `inject`: `control-PID.sock` in the
/// user's own folder, mode 0600. Every connection asks once, gets the answer and is closed.
struct ControlSocket: Service {
    private let path: String
    private let answers: ShortAnswers
    private let fleet: ControlledFleet

    /// Listens at once.
    /// - Throws: `LocalBrokerError` where the user's folder is not safe, ``ControlSocketError`` where the socket
    ///   cannot be made.
    init(at meetingPoint: MeetingPoint, for fleet: ControlledFleet) throws {
        path = try meetingPoint.controlSocket(of: getpid())
        self.fleet = fleet
        try Self.removeThoseOfKilledFleets(at: meetingPoint)
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
        answers = ShortAnswers(socket: socket, concurrentConnections: 2)
    }

    /// A socket is left alone while its process lives, which may be about to listen, or while somebody listens:
    /// a fleet in a container has a process number of its own.
    private static func removeThoseOfKilledFleets(at meetingPoint: MeetingPoint) throws {
        for other in try meetingPoint.controlSockets()
        where kill(other.processID, 0) != 0 && errno == ESRCH {
            let socket = try Socket(domain: AF_UNIX)
            defer { try? socket.close() }
            do {
                try socket.connect(to: .unix(path: other.path))
            } catch SocketError.failed(_, ECONNREFUSED, _) {
                unlink(other.path)
            } catch {
                continue
            }
        }
    }

    func run() async throws {
        defer { unlink(path) }
        do {
            try await answers.run { try await answer(over: $0) }
        } catch {
            throw ControlSocketError(path: path, reason: "\(error)")
        }
    }

    private func answer(over connection: AsyncSocket) async throws {
        let replies: [ControlReply]
        do {
            let line = try await Self.line(from: connection)
            replies = await fleet.replies(to: try ControlRequest(line: line))
        } catch let error as ControlError {
            replies = [.refused("\(error)")]
        }
        try await connection.write(Data(replies.flatMap { $0.line + [UInt8(ascii: "\n")] }))
    }

    private static func line(from connection: AsyncSocket) async throws -> [UInt8] {
        var lines = ControlLines()
        while true {
            let bytes = try await connection.read(atMost: ControlRequest.limit)
            if let first = try lines.receive(bytes).first { return first }
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
