import Fleet
import FlyingSocks
import FoundationEssentials
import ServiceLifecycle

/// Serves `/metrics` and `/ready` while the fleet runs.
///
/// Uses plain sockets: the HTTP server of the same package would link Foundation's networking, and
/// with it libcurl, for two pages.
struct MetricsEndpoint: Service {
    private let address: MetricsAddress
    private let fleet: WholeFleet
    private let answers: ShortAnswers

    /// Starts to listen at once: when `ready` is printed, the endpoint can be reached.
    /// - Throws: ``MetricsError``.
    init(listeningOn address: MetricsAddress, fleet: WholeFleet) throws {
        self.address = address
        self.fleet = fleet
        do {
            answers = ShortAnswers(
                socket: try address.listeningSocket(), concurrentConnections: 8)
        } catch {
            throw MetricsError(address: address, error)
        }
    }

    func run() async throws {
        do {
            try await answers.run { try await answerOne(over: $0) }
        } catch {
            throw MetricsError(address: address, error)
        }
    }

    private func answerOne(over socket: AsyncSocket) async throws {
        var request = HTTPRequestHead()
        while !request.isComplete {
            let bytes = try await socket.read(atMost: HTTPRequestHead.limit)
            guard !bytes.isEmpty else { return }
            request.append(bytes)
        }
        try await socket.write(Data(await answer(to: request).bytes))
    }

    private func answer(to request: HTTPRequestHead) async -> HTTPAnswer {
        switch (request.method, request.path) {
        case ("GET", "/metrics"):
            HTTPAnswer(
                .ok, PrometheusText.of(await fleet.snapshot()),
                contentType: PrometheusText.contentType)
        case ("GET", "/ready"):
            readiness(await fleet.snapshot())
        case ("GET", _?):
            HTTPAnswer(.notFound, "not found; try /metrics or /ready\n")
        case (_?, _):
            HTTPAnswer(.methodNotAllowed, "only GET is supported\n")
        case (nil, _):
            HTTPAnswer(.badRequest, "not an HTTP/1 request\n")
        }
    }

    private func readiness(_ snapshot: FleetSnapshot) -> HTTPAnswer {
        HTTPAnswer(
            snapshot.isReady ? .ok : .serviceUnavailable,
            "\(snapshot.readyDevices) of \(snapshot.totalDevices) devices ready\n")
    }
}

extension MetricsAddress {
    /// A socket that listens here.
    fileprivate func listeningSocket() throws -> Socket {
        switch host {
        case .v4(let host): try listening(at: .inet(ip4: host, port: port))
        case .v6(let host): try listening(at: .inet6(ip6: host, port: port))
        }
    }

    private func listening(at address: some SocketAddress) throws -> Socket {
        let socket = try Socket(domain: Int32(address.family))
        do {
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: address)
            try socket.listen()
            return socket
        } catch {
            try? socket.close()
            throw error
        }
    }
}

/// The metrics endpoint cannot listen.
struct MetricsError: Error, CustomStringConvertible {
    let address: MetricsAddress
    let reason: String

    init(address: MetricsAddress, _ error: any Error) {
        self.address = address
        if case .failed(_, _, let message)? = error as? SocketError {
            reason = message
        } else {
            reason = "\(error)"
        }
    }

    var description: String {
        "metrics: cannot listen on \(address): \(reason); choose another --metrics HOST:PORT"
    }
}
