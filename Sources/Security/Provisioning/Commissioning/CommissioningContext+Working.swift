internal import Connectivity
internal import DeviceDomain
internal import Keychain
internal import MatterAdapter
internal import ProvisioningProtocol

// The actions of the five states, and taking back.
extension CommissioningContext {
    /// Between two looks at the server's nodes.
    private static let pause = Duration.seconds(1)
    /// How long the server may take to list a node after it has answered.
    private static let listing = Duration.seconds(5)
    /// How long the server may take to look around.
    private static let looking = Duration.seconds(10)

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
    private var endOfFormerRequest: Duration {
        let limit = parts.timeouts.confirming
        let passed = record.askedAt.map { parts.now().since($0) } ?? limit
        // A wall clock that was set back must not make the wait longer.
        return parts.clock.elapsed + min(max(limit - passed, .zero), limit)
    }

    /// Looks for the device among the nodes that have come since the server was asked; `nil` where it is not there yet.
    private func look() async -> WorkResult? {
        do throws(ProvisioningError) {
            guard let node = try await newcomer() else { return nil }
            record.node = node.id
            return .foundInHome
        } catch {
            return .undecided(error)
        }
    }

    private func findNewcomer(until end: Duration) async throws(ProvisioningError) -> WorkResult {
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
            let words = details.replacing(secret.exposed, with: "<redacted>")
            throw ProvisioningError(
                .commissioningFailed,
                "the Matter server did not take \(what): \(Self.text(code, words))", .checkServer)
        case .lost, nil: throw connectionLost
        }
    }

    /// Sends a request that may be repeated, and waits for its answer.
    private func ask(
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

    /// Waits for the server's answer; where that is lost, for the device among its nodes.
    func confirm() async throws(ProvisioningError) -> WorkResult {
        guard let request else { return try await searchAfterLoss() }
        switch await parts.server.answer(to: request) {
        case .done(let node?):
            record.node = node.id
            return .foundInHome
        case .failed(let code, let details): return try await judge(code, details)
        case .done(nil), .discovered, .lost: return try await searchAfterLoss()
        case nil: throw error(afterTimeOf: .confirm)
        }
    }

    private func searchAfterLoss() async throws(ProvisioningError) -> WorkResult {
        lastMiss = ProvisioningError(
            .connectionLost,
            "the connection to the Matter server was lost before it said what became of the device, and no "
                + "new device is listed there", .runAgain)
        while !Task.isCancelled {
            if let found = await look() { return found }
            await parts.clock.sleep(for: Self.pause)
        }
        throw error(afterTimeOf: .confirm)
    }

    // MARK: Failures

    /// What an error of the server means. It has ended its work then.
    private func judge(
        _ code: Int, _ details: String
    ) async throws(ProvisioningError) -> WorkResult {
        let words = Self.text(code, order.code.redacting(details))
        switch code {
        case 8, 9:
            return .failed(
                ProvisioningError(
                    .commissioningFailed, "the Matter server did not take the request: \(words)",
                    .checkServer))
        case 1: return .failed(await explanation(words))
        default: break
        }
        // Some errors are of what comes after the device has joined.
        let end = parts.clock.elapsed + Self.listing
        while parts.clock.elapsed < end, !Task.isCancelled {
            if let found = await look() { return found }
            await parts.clock.sleep(for: Self.pause)
        }
        return .failed(
            ProvisioningError(
                .commissioningFailed,
                "the Matter server could not bring the device in, which may have to be reset before it is tried "
                    + "again: \(words)", .pressReset))
    }

    /// Why a device could not be commissioned, as far as what shows itself in the network tells.
    private func explanation(_ words: String) async -> ProvisioningError {
        let shown = await devicesShown()
        if shown?.contains(where: order.code.discriminator.matches) == true {
            return ProvisioningError(
                .wrongProof,
                "the device shows itself in the server's network, but could not be commissioned: the code is that "
                    + "of another device, or the server refuses the device for a reason that its log names: "
                    + words, .checkLabel)
        }
        let place =
            searchesNetworkOnly
            ? "the server has looked in its network only; a device that is new must be reached by Bluetooth"
            : "it was neither found by Bluetooth nor in the network, or the code or the network was refused"
        return ProvisioningError(
            .deviceNotFound,
            "the Matter server could not commission a device with this code: \(words) (\(place))",
            .pressReset)
    }

    /// The discriminators of the devices that can be commissioned; `nil` where the server does not tell.
    private func devicesShown() async -> [Int]? {
        let (answer, _) = await race(within: Self.looking, by: parts.clock) {
            () -> CommissioningAnswer? in
            do throws(ProvisioningError) {
                return try await self.ask(.discover)
            } catch {
                return nil
            }
        }
        guard case .discovered(let devices)?? = answer else { return nil }
        return devices
    }

    private static func text(_ code: Int, _ details: String) -> String {
        details.isEmpty ? "error \(code)" : details
    }

    private var connectionLost: ProvisioningError {
        ProvisioningError(
            .server, "the connection to the Matter server \(parts.address) was lost", .checkServer)
    }

    // MARK: The end

    /// Waits until the server lists the device.
    func finish() async throws(ProvisioningError) -> WorkResult {
        guard let node = record.node else {
            throw ProvisioningError(.storage, "the attempt has no node", .runAgain)
        }
        if record.step != .finalizing { try await write(.finalizing) }
        while true {
            let listed = await parts.server.commissionedNodes() ?? []
            if listed.contains(where: { $0.id == node }) { break }
            if Task.isCancelled { throw error(afterTimeOf: .commit) }
            await parts.clock.sleep(for: Self.pause)
        }
        try await write(.provisioned)
        return .committed
    }

    /// Takes back what was done. A server cannot be stopped: its answer is waited for, and then the device is taken out
    /// again.
    func rollBack() async throws(ProvisioningError) -> WorkResult {
        if let request {
            if case .rollingBack(_, .cancelled) = machine.state, record.node == nil {
                notify(.waitsForServer)
            }
            switch await parts.server.answer(to: request) {
            case .done(let node?): record.node = node.id
            case .failed: break
            case .done(nil), .discovered, .lost, nil: throw notTakenBack
            }
        } else if record.step == .commissioning, parts.clock.elapsed < endOfFormerRequest {
            throw notTakenBack
        }
        if let node = record.node { try await remove(node) }
        try await write(.rolledBack)
        return .rolledBack
    }

    private func remove(_ node: UInt64) async throws(ProvisioningError) {
        switch try await ask(.remove(node: node)) {
        // Error 5: the server does not have it.
        case .done, .failed(code: 5, details: _): return
        case .failed(let code, let details):
            throw ProvisioningError(
                .commissioningFailed,
                "the Matter server did not take the device out again: \(Self.text(code, details))",
                .checkServer)
        case .discovered, .lost, nil: throw connectionLost
        }
    }

    private var notTakenBack: ProvisioningError {
        ProvisioningError(
            .connectionLost,
            "the Matter server was asked to bring the device in, and has not said what became of it, so it may "
                + "come onto the server yet", .runAgain)
    }
}

extension ProvisioningError {
    fileprivate static let noNetwork = ProvisioningError(
        .networkNotFound,
        "the Matter server knows neither a Wi-Fi nor a Thread network, so it can bring in only a device that is "
            + "in the network already; pass --ssid or --thread for any other", .retryPassword)

    fileprivate static let waitsForServer = ProvisioningError(
        .cancelled,
        "a Matter server cannot be stopped while it brings a device in: its answer is waited for, and then the "
            + "device is taken out again", .runAgain)
}

extension Secret {
    /// The text, for a message that is sent at once.
    fileprivate var exposed: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
