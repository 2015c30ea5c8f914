internal import Connectivity
internal import DeviceDomain
internal import MatterAdapter
internal import ProvisioningProtocol

// The actions of ConfirmingCloudConnection and Finalizing, and taking back.
extension CommissioningContext {
    /// How long the server may take to list a node after it has answered.
    private static let listing = Duration.seconds(5)
    /// How long the server may take to look around.
    private static let looking = Duration.seconds(10)

    /// Waits for the server's answer; where that is lost, for the device among its nodes.
    func confirm() async throws(ProvisioningError) -> WorkResult {
        let end = parts.clock.elapsed + parts.timeouts.confirming
        guard let request else { return try await searchAfterLoss(until: end) }
        switch await parts.server.answer(to: request) {
        case .done(let node?):
            record.node = node.id
            return .foundInHome
        case .failed(let code, let details): return try await judge(code, details)
        case .done(nil), .discovered, .lost: return try await searchAfterLoss(until: end)
        case nil: throw error(afterTimeOf: .confirm)
        }
    }

    private func searchAfterLoss(until end: Duration) async throws(ProvisioningError) -> WorkResult
    {
        lastMiss = lost(", and the server could not be reached since")
        notifyOfSearch(until: end, because: lost("").message)
        while !Task.isCancelled {
            if let found = await look() { return found }
            if await parts.server.commissionedNodes() != nil {
                lastMiss = lost(", and no new device is listed there")
            }
            await parts.clock.sleep(for: Self.pause)
        }
        throw error(afterTimeOf: .confirm)
    }

    private func lost(_ since: String) -> ProvisioningError {
        ProvisioningError(
            .connectionLost,
            "the connection to the Matter server \(parts.address) was lost before it said what became of the "
                + "device\(since)", .runAgain)
    }

    // MARK: Failures

    /// What an error of the server means. It has ended its work then.
    private func judge(
        _ code: Int, _ details: String
    ) async throws(ProvisioningError) -> WorkResult {
        let words = words(code, details)
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

    /// What the server says of an error, without the device's code.
    func words(_ code: Int, _ details: String) -> String {
        details.isEmpty ? "error \(code)" : order.code.redacting(details)
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
                "the Matter server did not take the device out again: \(words(code, details))",
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
    fileprivate static let waitsForServer = ProvisioningError(
        .cancelled,
        "a Matter server cannot be stopped while it brings a device in: its answer is waited for, and then the "
            + "device is taken out again", .runAgain)
}
