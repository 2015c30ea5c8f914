internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import HomeModel
internal import Provisioning

/// A running home, as provisioning needs it.
struct ProvisionedDeviceWatcher: DeviceArrivalObserver {
    /// How long a device may take for its last answer before that counts as not known.
    private static let commitLimit = Duration.seconds(20)

    let home: Home

    func sighting(of device: DeviceID) async throws(ProvisioningError) -> DeviceSighting {
        do throws(HomeError) {
            return try await home.observation.knownDevice(device)?.sighting ?? .none
        } catch {
            throw ProvisioningError(error)
        }
    }

    func arrival(of device: DeviceID, with nonce: ClaimNonce) async throws(ProvisioningError) {
        let changes = home.changes(of: .device(device))
        _ = try await sighting(of: device)
        if hasCome(device, with: nonce) { return }
        for await _ in changes where hasCome(device, with: nonce) { return }
        throw ProvisioningError(.cancelled, "the wait for \(device) was cancelled", .runAgain)
    }

    func commit(_ nonce: ClaimNonce, of device: DeviceID) async throws(ProvisioningError) {
        while true {
            // Before the command, so that a return meanwhile is not missed.
            let changes = home.changes(of: .device(device))
            if try await sighting(of: device) == .online(claim: nil) { return }
            guard try await !hasCommitted(nonce, device) else { return }
            // It restarts: the claim is still to be committed when it is back.
            guard await changes.first(where: { _ in true }) != nil else {
                throw ProvisioningError(
                    .cancelled, "the wait for \(device) was cancelled", .runAgain)
            }
        }
    }

    /// Whether a device is online with a claim, and has said that it commits claims.
    private func hasCome(_ device: DeviceID, with nonce: ClaimNonce) -> Bool {
        guard let known = home.latest(device), case .described(let profile) = known.identity else {
            return false
        }
        return known.sighting == .online(claim: nonce)
            && profile.commands.contains { $0.name == .commitClaim }
    }

    /// Asks a device to commit.
    /// - Returns: `false` where it was away, or did not get to its end.
    private func hasCommitted(
        _ nonce: ClaimNonce, _ device: DeviceID
    ) async throws(ProvisioningError) -> Bool {
        let result: WaitResult
        do throws(HomeError) {
            let receipt = try await home.send(
                .commitClaim, ["nonce": .string(nonce.rawValue)], to: device)
            result = try await receipt.outcome(.certain, within: Self.commitLimit)
        } catch {
            throw ProvisioningError(error)
        }
        let progress = result.record.progress
        switch result.record.state {
        case .succeeded: return true
        case .refused where progress.code == .notReady: return false
        case .failed where progress.code == .interrupted: return false
        case .failed, .rejected, .refused:
            throw ProvisioningError(
                .commitRefused, "\(device) did not commit its claim: \(progress.message)",
                .pressReset)
        case .created, .cancelled, .superseded, .expired, .unknown, .queued, .sending, .sent,
            .accepted, .running:
            throw ProvisioningError(
                .timedOut, "\(device) did not answer the commit of its claim", .runAgain)
        }
    }
}

extension KnownDevice {
    fileprivate var sighting: DeviceSighting {
        switch connection {
        case .online: .online(claim: presence?.claim)
        case .offline: .offline
        case .unknown: presence == nil ? .none : .offline
        }
    }
}

extension ProvisioningError {
    init(_ error: HomeError) {
        switch error.code {
        case .noConnection: self.init(.broker, error.message, .checkBroker)
        case .ledger: self.init(.storage, error.message, .checkStorage)
        case .cancelled: self.init(.cancelled, error.message, .runAgain)
        default: self.init(.timedOut, error.message, .runAgain)
        }
    }
}
