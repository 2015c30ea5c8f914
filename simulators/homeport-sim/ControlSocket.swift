import Glibc
import LocalServices
import ServiceLifecycle

/// The socket at which a running fleet answers `homeport-sim status`, `inject`, `pause`, `resume` and `step`:
/// `control-PID.sock` in the user's own folder, mode 0600. Every connection asks once, gets the answer and is closed.
struct ControlSocket: Service {
    private let server: LocalServer
    private let fleet: ControlledFleet

    /// Listens at once.
    /// - Throws: `LocalServicesError` where the user's folder is not safe, or the socket cannot be made.
    init(at meetingPoint: MeetingPoint, for fleet: ControlledFleet) throws(LocalServicesError) {
        self.fleet = fleet
        server = try LocalServer(
            at: meetingPoint.controlSocket(of: getpid()), requestsOf: ControlRequest.limit)
    }

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await server.run { line, connection in
                let replies = await replies(to: line)
                // A program that has gone away does without the answer.
                try? await connection.write(replies.flatMap { $0.line + [UInt8(ascii: "\n")] })
            }
        }
    }

    private func replies(to line: Result<[UInt8], LocalServicesError>) async -> [ControlReply] {
        do throws(LocalServicesError) {
            return await fleet.replies(to: try ControlRequest(line: line.get()))
        } catch { return [.refused(error.message)] }
    }
}
