internal import Connectivity
internal import DeviceDomain
internal import Keychain
internal import MatterAdapter
internal import ProvisioningProtocol

// The actions of the first three states.
extension CommissioningContext {
    /// Between two looks at the server's nodes.
    static let pause = Duration.seconds(1)

    /// Reaches the server, and looks for the device there where an earlier process has asked for it.
    func find() async throws(ProvisioningError) -> WorkResult {
        let nodes = try await nodes()
        switch record.step {
        case .begun, .provisioned, .rolledBack: return .foundAccessPoint
        case .finalizing where nodes.contains { $0.id == record.node }: return .foundInHome
        case .finalizing: return .foundAccessPoint
        case .commissioning: return try await findNewcomer(until: endOfFormerRequest)
        }
    }

    /// When the server has certainly ended what an earlier process has asked for, on the clock of waits.
    var endOfFormerRequest: Duration {
        let limit = parts.timeouts.confirming
        let passed = record.askedAt.map { parts.now().since($0) } ?? limit
        // A wall clock that was set back must not make the wait longer.
        return parts.clock.elapsed + min(max(limit - passed, .zero), limit)
    }

    /// Looks for the device among the nodes that have come since the server was asked; `nil` where it is not there yet.
    func look() async -> WorkResult? {
        do throws(ProvisioningError) {
            guard let node = try await newcomer() else { return nil }
            record.node = node.id
            return .foundInHome
        } catch {
            return .undecided(error)
        }
    }

    private func findNewcomer(until end: Duration) async throws(ProvisioningError) -> WorkResult {
        if let found = await look() { return found }
        if parts.clock.elapsed < end {
            notifyOfSearch(
                until: end,
                because:
                    "the Matter server \(parts.address) was asked by an earlier run to bring the device in, and "
                    + "may still be doing so")
        }
        while true {
            if let found = await look() { return found }
            // Without a connection nobody knows whether it has come.
            if parts.clock.elapsed >= end, await parts.server.commissionedNodes() != nil {
                return .foundAccessPoint
            }
            if Task.isCancelled { throw error(afterTimeOf: .find) }
            await parts.clock.sleep(for: Self.pause)
        }
    }

    /// Tells that the device is looked for among the server's nodes, and how long.
    func notifyOfSearch(until end: Duration, because reason: String) {
        let seconds = max((end - parts.clock.elapsed).components.seconds, 0)
        notify(
            ProvisioningError(
                .connectionLost,
                "\(reason); the device is looked for among the nodes of the server, for up to \(seconds) s",
                .runAgain))
    }

    /// Finds out how the server reaches the device.
    func connect() async -> WorkResult {
        let means = await parts.server.commissioningMeans()
        self.means = means
        let hasNetwork =
            order.wiFi != nil || order.thread != nil || means.hasWiFi || means.hasThread
        if !searchesNetworkOnly, !hasNetwork {
            notify(.noNetwork)
        }
        return .connected
    }

    /// Gives the server the networks for new devices, and asks it to bring the device in.
    func sendRequest() async throws(ProvisioningError) -> WorkResult {
        if let wiFi = order.wiFi {
            try await store(
                .setWiFi(ssid: wiFi.ssid, password: wiFi.password.exposed), "the Wi-Fi network",
                hiding: wiFi.password)
            order.wiFi = nil
        }
        if let thread = order.thread {
            try await store(
                .setThread(dataset: thread.digits.exposed), "the Thread network",
                hiding: thread.digits)
            order.thread = nil
        }
        record.formerNodes = Set(try await nodes().map(\.id))
        record.askedAt = parts.now()
        record.node = nil
        // Before the server may have the request, the record says so.
        try await write(.commissioning)
        do throws(CommunicationError) {
            request = try await parts.server.begin(
                .commission(code: order.code.text.exposed, networkOnly: searchesNetworkOnly))
        } catch {
            throw unreachable(error)
        }
        return .sent
    }

    private func store(
        _ request: CommissioningRequest, _ what: String, hiding secret: Secret
    ) async throws(ProvisioningError) {
        switch try await ask(request) {
        case .done, .discovered: return
        case .failed(let code, let details):
            let details = details.replacing(secret.exposed, with: "<redacted>")
            throw ProvisioningError(
                .commissioningFailed,
                "the Matter server did not take \(what): \(words(code, details))", .checkServer)
        case .lost, nil: throw connectionLost
        }
    }

    /// Sends a request that may be repeated, and waits for its answer.
    func ask(
        _ request: CommissioningRequest
    ) async throws(ProvisioningError) -> CommissioningAnswer? {
        do throws(CommunicationError) {
            let id = try await parts.server.begin(request)
            let answer = await parts.server.answer(to: id)
            await parts.server.forget(id)
            return answer
        } catch {
            throw unreachable(error)
        }
    }

    var connectionLost: ProvisioningError {
        ProvisioningError(
            .server, "the connection to the Matter server \(parts.address) was lost", .checkServer)
    }
}

extension ProvisioningError {
    fileprivate static let noNetwork = ProvisioningError(
        .networkNotFound,
        "the Matter server knows neither a Wi-Fi nor a Thread network, so it can bring in only a device that is "
            + "in the network already; pass --ssid or --thread for any other", .retryPassword)
}

extension Secret {
    /// The text, for a message that is sent at once.
    fileprivate var exposed: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
