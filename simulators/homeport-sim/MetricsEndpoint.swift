import Fleet
import HTTPServing
import ServiceLifecycle

/// Serves `/metrics` and `/ready` while the fleet runs.
struct MetricsEndpoint: Service {
    private static let limits = HTTPServerLimits.pages(
        head: 8_192, timeout: .seconds(5), connections: 8)

    private let server: HTTPServer
    private let fleet: WholeFleet

    /// Starts to listen at once: when `ready` is printed, the endpoint can be reached.
    /// - Throws: ``MetricsError``.
    init(listeningOn address: MetricsAddress, fleet: WholeFleet) async throws(MetricsError) {
        self.fleet = fleet
        do throws(HTTPServerError) {
            server = try await HTTPServer(
                on: address.host, port: address.port, within: Self.limits)
        } catch {
            throw MetricsError(address: address, reason: "\(error)")
        }
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                try await server.run { .reply(await answer(to: $0)) }
            }
        } catch is CancellationError {
            return
        }
    }

    private func answer(to request: HTTPRequest) async -> HTTPReply {
        switch request.path {
        case "/metrics":
            HTTPReply(
                200, contentType: PrometheusText.contentType,
                body: Array(PrometheusText.of(await fleet.snapshot()).utf8))
        case "/ready": readiness(await fleet.snapshot())
        default: HTTPReply(404, text: "not found; try /metrics or /ready\n")
        }
    }

    private func readiness(_ snapshot: FleetSnapshot) -> HTTPReply {
        HTTPReply(
            snapshot.isReady ? 200 : 503,
            text: "\(snapshot.readyDevices) of \(snapshot.totalDevices) devices ready\n")
    }
}

/// The metrics endpoint cannot listen.
struct MetricsError: Error, CustomStringConvertible {
    let address: MetricsAddress
    let reason: String

    var description: String {
        "metrics: cannot listen on \(address): \(reason); choose another --metrics HOST:PORT"
    }
}
