import Fleet
import FlyingFox
import FlyingSocks
import ServiceLifecycle

/// Serves `/metrics` and `/ready` while the fleet runs.
struct MetricsEndpoint: Service {
    let address: MetricsAddress
    let fleet: Fleet

    func run() async throws {
        let server = try makeServer()
        await server.appendRoute("GET /metrics") { _ in await metrics() }
        await server.appendRoute("GET /ready") { _ in await readiness() }
        do {
            try await cancelWhenGracefulShutdown { try await server.run() }
        } catch is CancellationError {
            return
        } catch {
            guard !Task.isShuttingDownGracefully else { return }
            throw MetricsError(address: address, reason: "\(error)")
        }
    }

    private func makeServer() throws -> HTTPServer {
        do {
            switch address.host {
            case .v4(let host):
                return HTTPServer(
                    address: try .inet(ip4: host, port: address.port), logger: .disabled)
            case .v6(let host):
                return HTTPServer(
                    address: try .inet6(ip6: host, port: address.port), logger: .disabled)
            }
        } catch {
            throw MetricsError(address: address, reason: "\(error)")
        }
    }

    private func metrics() async -> HTTPResponse {
        HTTPResponse(
            statusCode: .ok, headers: HTTPHeaders([.contentType: PrometheusText.contentType]),
            body: .init(PrometheusText.of(await fleet.snapshot()).utf8))
    }

    private func readiness() async -> HTTPResponse {
        let snapshot = await fleet.snapshot()
        let text = "\(snapshot.readyDevices) of \(snapshot.totalDevices) devices ready\n"
        return HTTPResponse(
            statusCode: snapshot.isReady ? .ok : .serviceUnavailable,
            headers: HTTPHeaders([.contentType: "text/plain; charset=utf-8"]),
            body: .init(text.utf8))
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
