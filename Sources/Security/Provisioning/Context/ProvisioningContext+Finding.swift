internal import DeviceDomain
internal import ProvisioningProtocol

// The actions of Scanning and ConnectingToDeviceAP.
extension ProvisioningContext {
    /// Between two looks for the device.
    private static let pause = Duration.seconds(1)

    /// Looks for the device until it is found.
    func find() async throws(ProvisioningError) -> WorkResult {
        lastMiss = nil
        while true {
            if try await isInHome() { return .foundInHome }
            do throws(ProvisioningError) {
                try await reachAccessPoint()
                return .foundAccessPoint
            } catch {
                // A request that the end of the time cut off says only whether something took it.
                if Task.isCancelled {
                    if lastMiss == nil, error.code == .connectionLost { lastMiss = .silent }
                    throw lastMiss ?? .timedOut(.find)
                }
                if lastMiss != error, error.userAction == .joinAccessPoint { notify(error) }
                lastMiss = error
            }
            await parts.clock.sleep(for: Self.pause)
        }
    }

    /// Whether an earlier process has brought the device into the home.
    private func isInHome() async throws(ProvisioningError) -> Bool {
        switch record.step {
        case .joining, .finalizing: break
        case .begun, .claiming, .provisioned, .rolledBack: return false
        }
        switch try await parts.home.sighting(of: record.device) {
        case .online(claim: nil): return record.step == .finalizing
        case .online(let claim): return claim == record.nonce
        case .none, .offline: return false
        }
    }

    /// Joins the access point, and sees that something answers there.
    private func reachAccessPoint() async throws(ProvisioningError) {
        var obstacle: ProvisioningError?
        do throws(ProvisioningError) {
            try await parts.joiner.join(
                record.label, password: order.code.accessPointPassword)
        } catch {
            // The user may have joined by hand.
            obstacle = error
        }
        do throws(ProvisioningError) {
            _ = try await parts.device.post(ProvisioningEndpoint.versionRequest, to: .version)
        } catch {
            switch error.code {
            case .noAccessPoint, .connectionLost: throw obstacle ?? error
            // Something answers: the next state finds out what.
            default: return
            }
        }
    }

    /// Opens a session, in which the device takes credentials.
    func connect() async throws(ProvisioningError) -> WorkResult {
        session = nil
        let session = try await openedSession()
        if session.isWeak { notify(.weakSessionAllowed) }
        switch try await session.status() {
        case .disconnected: return .connected
        case .connected, .connecting:
            if mayComeHome { return .connectedWhileJoining }
            do throws(ProvisioningError) {
                try await session.reset()
            } catch {
                throw error.code == .refused ? .hasOtherAttempt : error
            }
            return .connected
        case .failed:
            try await session.reset()
            return .connected
        }
    }

    /// Opens a session, which is then the attempt's.
    func openedSession() async throws(ProvisioningError) -> BoxedDeviceSession {
        let session = try await BoxedDeviceSession(
            with: parts.device, order.code, order.security, allowsWeak: order.allowsWeakSession)
        self.session = session
        return session
    }
}

extension ProvisioningError {
    /// The access point took a request, and nothing more.
    fileprivate static let silent = ProvisioningError(
        .connectionLost,
        "the device's access point was found, but did not answer a request in time", .pressReset)

    /// The device does not forget a network that it joins or has joined.
    fileprivate static let hasOtherAttempt = ProvisioningError(
        .refused,
        "the device has just joined a network in another attempt, or is joining it, and takes no other; unless "
            + "that attempt is finished, it returns to its set-up mode by itself, \(usualFailSafe), and takes a "
            + "new one then", .runAgain)
}
