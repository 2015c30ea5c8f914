internal import Basics
internal import DeviceDomain
internal import DeviceMessages

// The action of SendingWiFiCredentials.
extension ProvisioningContext {
    /// Gives the device its certificate and the network, and has it join.
    func sendCredentials() async throws(ProvisioningError) -> WorkResult {
        guard let session else {
            throw ProvisioningError(.connectionLost, "there is no session", .runAgain)
        }
        try await refuseMissingPassword(in: session)
        try await claim(in: session)
        try await session.set(ssid: order.ssid, try await password())
        // Before the device may be in the home, the record says so.
        try await write(.joining)
        do throws(ProvisioningError) {
            try await session.apply()
        } catch {
            // A device that has refused it is in its box; any other is asked in a new session.
            if error.code == .refused {
                try await write(.claiming)
                throw error
            }
            self.session = nil
        }
        return .sent
    }

    /// An empty password is for a network that is open, as far as the device can tell.
    private func refuseMissingPassword(
        in session: BoxedDeviceSession
    ) async throws(ProvisioningError) {
        guard !hasPassword, session.findsNetworks else { return }
        let network = try await session.networks().first { $0.name == order.ssid }
        guard network?.isOpen == false else { return }
        // The device has nothing of this attempt that it could forget.
        self.session = nil
        throw ProvisioningError(
            .unusablePassword, "the network \(order.ssid) asks for a password, and none was given",
            .retryPassword)
    }

    private func claim(in session: BoxedDeviceSession) async throws(ProvisioningError) {
        // Of an earlier try.
        try await parts.authority.discardStaged(of: record.device)
        let nonce = ClaimNonce.random()
        record.nonce = nonce
        record.serial = nil
        try await write(.claiming)
        let request = try await session.offer(
            ClaimOffer(
                home: record.home, device: record.device, broker: order.broker, nonce: nonce,
                token: try await parts.authority.makeToken(for: record.device),
                authorities: try await parts.authority.authorities()))
        let staged = try await parts.authority.issue(to: record.device, request)
        record.serial = staged.serial
        try await session.grant(ClaimGrant(nonce: nonce, certificate: staged.certificate))
    }
}

extension ClaimNonce {
    /// 128 random bits.
    fileprivate static func random() -> ClaimNonce {
        var generator = SystemGenerator()
        let first = ProvisioningAttemptID.random(using: &generator).rawValue
        let second = ProvisioningAttemptID.random(using: &generator).rawValue
        guard let nonce = ClaimNonce(rawValue: first + second) else {
            preconditionFailure("32 digits are a nonce")
        }
        return nonce
    }
}
