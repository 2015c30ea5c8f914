import Glibc
import LocalServices
import Subprocess

/// A mosquitto of our own: a child process on a free loopback port that ends with us.
///
/// Other users of the machine can reach the port, so it asks for passwords that are made anew for
/// every broker: the owner's, who may do everything, and those of ``PrivateBrokerConfiguration/users``.
///
/// It ends in three ways, none of which leaves it behind:
/// - the body of ``withBroker(_:_:)`` returns or throws: SIGTERM, and SIGKILL two seconds later;
/// - the task is cancelled: the body gets ``cancellationGrace`` to disconnect its clients;
/// - our process dies, however: the kernel sends SIGKILL (see ``ParentDeathSignal``).
package enum PrivateBroker {
    /// How long a cancelled body may keep using the broker.
    package static let cancellationGrace: Duration = .seconds(10)
    private static let portAttempts = 8
    private static let ownerName = "homeport"

    /// Starts a broker, runs the body with it, and ends it.
    ///
    /// - Throws: ``LocalServicesError`` where no broker could be started, else what the body throws;
    ///   untyped for that reason.
    package static func withBroker<R: Sendable>(
        _ configuration: PrivateBrokerConfiguration = PrivateBrokerConfiguration(),
        _ body: (RunningBroker) async throws -> R
    ) async throws -> R {
        let mosquitto = try MosquittoProgram.find(in: configuration.searchPath)
        let credentials = BrokerCredentials.random(for: ownerName)
        let access = try await AccessFiles.make(
            for: [credentials] + configuration.users,
            "user \(ownerName)\ntopic readwrite #\ntopic read $SYS/#\n\n"
                + configuration.accessControl)
        defer { access.remove() }
        for _ in 0..<portAttempts {
            let start = BrokerStart(
                configuration: configuration, mosquitto: mosquitto, port: try LoopbackPort.free(),
                credentials: credentials, access: access)
            switch try await start.run(body) {
            case .done(let result): return try result.get()
            case .portTaken: continue
            }
        }
        throw LocalServicesError(
            .noFreePort,
            "other programs took \(portAttempts) loopback ports in a row before the private "
                + "broker could; try again, or name a running broker with --broker URL")
    }
}
