internal import Basics
internal import DeviceDomain
internal import ProvisioningProtocol

// The actions of ConfirmingCloudConnection and Finalizing, and taking back.
extension ProvisioningContext {
    /// The pauses between two questions for the device's network grow up to that of the vendor's client.
    private static let backoff = Backoff(first: .milliseconds(500), longest: .seconds(5))
    /// How often a device may fail to answer before it is not asked any more.
    private static let mostMisses = 3

    /// Waits for the device at the broker, and meanwhile asks it whether it could join.
    func confirm() async throws(ProvisioningError) -> WorkResult {
        guard let nonce = record.nonce else {
            throw ProvisioningError(.storage, "the attempt has no claim", .runAgain)
        }
        lastMiss = nil
        return await withTaskGroup { group in
            group.addTask { await self.awaitArrival(with: nonce) }
            group.addTask { await self.awaitRejection() }
            defer { group.cancelAll() }
            // Only one of the two can come; the other one goes on until it is cancelled.
            for await result in group {
                if let result { return result }
            }
            return .failed(.timedOut(.confirm))
        }
    }

    private func awaitArrival(with nonce: ClaimNonce) async -> WorkResult? {
        while !Task.isCancelled {
            do throws(ProvisioningError) {
                try await parts.home.arrival(of: record.device, with: nonce)
                return .foundInHome
            } catch {
                // The home connects again by itself.
                await parts.clock.sleep(for: Self.backoff.first)
            }
        }
        return nil
    }

    /// Asks the device until it says that it could not join, or does not have the credentials; `nil` once its
    /// access point is gone or it has joined.
    private func awaitRejection() async -> WorkResult? {
        var questions = 0
        var misses = 0
        while !Task.isCancelled {
            await parts.clock.sleep(for: Self.backoff.wait(after: questions))
            questions += 1
            do throws(ProvisioningError) {
                let session = try await currentSession()
                switch try await session.status() {
                case .connecting: continue
                case .connected: lastMiss = .notSeen(order, hasSaidSo: true)
                case .disconnected: return .retry(.credentialsMissing)
                case .failed(let failure): return await rejection(failure, in: session)
                }
            } catch {
                // A device that has joined closes its access point too, and may be slow to come to
                // the broker: that it is gone ends nothing.
                session = nil
                lastMiss = .notSeen(order, hasSaidSo: false)
                misses += 1
                if error.code != .noAccessPoint, misses < Self.mostMisses { continue }
            }
            await parts.joiner.leave(record.label)
            return nil
        }
        return nil
    }

    /// The session; a new one where a request of the last one had no answer.
    private func currentSession() async throws(ProvisioningError) -> BoxedDeviceSession {
        if let session { return session }
        return try await openedSession()
    }

    private func rejection(
        _ failure: WiFiFailure, in session: BoxedDeviceSession
    ) async -> WorkResult {
        do throws(ProvisioningError) {
            // By its own word it is in its box.
            try await write(.claiming)
        } catch {
            return .failed(error)
        }
        switch failure {
        case .wrongPassphrase:
            return .failed(
                ProvisioningError(
                    .wrongPassword, "the network \(order.ssid) refused the password",
                    .retryPassword))
        case .networkNotFound:
            do throws(ProvisioningError) {
                let seen = try await session.networks().map(\.name)
                try await session.reset()
                return .retry(.networkNotFound(order.ssid, seen))
            } catch {
                return .failed(.networkNotFound(order.ssid, []))
            }
        }
    }

    /// Commits the claim, and takes the certificate into use.
    func commit() async throws(ProvisioningError) -> WorkResult {
        if record.step != .finalizing { try await write(.finalizing) }
        if let error = await forgetPassword() { throw error }
        guard let nonce = record.nonce, let serial = record.serial else {
            throw ProvisioningError(.storage, "the attempt has no certificate", .runAgain)
        }
        try await parts.home.commit(nonce, of: record.device)
        try await parts.authority.activate(serial, for: record.device)
        try await write(.provisioned)
        return .committed
    }

    /// Takes back what was done, unless the device may come into the home all the same: then its certificate stays,
    /// and the same order goes on with the attempt.
    func rollBack() async throws(ProvisioningError) -> WorkResult {
        let leftover = await forgetPassword()
        // The requests are those of connecting: a session, the status and a reset.
        let (staysInBox, _) = await race(within: parts.timeouts.connecting, by: parts.clock) {
            await self.keepInBox()
        }
        guard staysInBox == true else { return .undecided(errorOfOpenEnd) }
        try await parts.authority.discardStaged(of: record.device)
        if let leftover { throw leftover }
        try await write(.rolledBack)
        return .rolledBack
    }

    /// Has the device forget the network.
    /// - Returns: whether it stays out of the home for certain. One that joins cannot be told to forget: its
    ///   fail-safe does that.
    private func keepInBox() async -> Bool {
        do throws(ProvisioningError) {
            if mayComeHome, try await isJoining() { return false }
        } catch {
            return false
        }
        do throws(ProvisioningError) {
            try await session?.reset()
        } catch {
            // A device that has nothing to forget refuses.
        }
        return true
    }

    private func isJoining() async throws(ProvisioningError) -> Bool {
        // A new session ends the former one, whose request to join may still be on its way.
        switch try await openedSession().status() {
        case .connecting, .connected: true
        case .disconnected, .failed: false
        }
    }

    /// Whether the device was told to join the home, and has said neither that it could not nor that it does not commit.
    var mayComeHome: Bool {
        switch record.step {
        case .joining, .finalizing: machine.state.phase != .finalizing
        case .begun, .claiming, .provisioned, .rolledBack: false
        }
    }

    /// Why an attempt that cannot be taken back ends.
    private var errorOfOpenEnd: ProvisioningError {
        switch machine.state {
        case .rollingBack(_, .failed(let error)): error
        case .scanning, .connectingToDeviceAP, .sendingWiFiCredentials, .confirmingCloudConnection,
            .finalizing, .rollingBack, .ended:
            .cancelledTooLate
        }
    }
}

extension ProvisioningError {
    /// When a device without a commit returns to its box by itself: the usual fail-safe of a boxed device
    /// (PROVISIONING, "Boxed devices").
    static let usualFailSafe = "usually within 5 minutes (its fail-safe)"

    fileprivate static func notSeen(
        _ order: ProvisioningOrder, hasSaidSo: Bool
    ) -> ProvisioningError {
        let joining =
            hasSaidSo
            ? "the device joined the network \(order.ssid), but was not seen in time: it was told to "
                + "join the broker \(order.broker); see whether that network leads there"
            : "the device left its access point without saying whether it joined \(order.ssid), and "
                + "was not seen in time: it was told to join the broker \(order.broker); see whether "
                + "it has power"
        return ProvisioningError(.notSeen, joining, .runAgain)
    }

    /// The device cannot be told to leave.
    fileprivate static let cancelledTooLate = ProvisioningError(
        .cancelled,
        "cancelled after the device was told to join the home; it may join, and leaves again by itself, "
            + "\(usualFailSafe), unless the attempt is finished", .runAgain)

    fileprivate static let credentialsMissing = ProvisioningError(
        .connectionLost, "the device did not get the request to join, which is sent again",
        .runAgain)

    fileprivate static func networkNotFound(_ ssid: String, _ seen: [String]) -> ProvisioningError {
        let others = seen.isEmpty ? "" : " (it finds \(seen.prefix(8).joined(separator: ", ")))"
        return ProvisioningError(
            .networkNotFound, "the device does not find the network \(ssid)\(others)", .moveCloser)
    }
}
