internal import DeviceDomain
package import ProvisioningProtocol

/// Asks a boxed device which Wi-Fi networks it finds, and changes nothing at the device.
package struct NetworkSurvey: Sendable {
    /// Between two looks for the device.
    private static let pause = Duration.seconds(1)

    private let code: SetupCode
    private let security: ProvisioningSecurity?
    private let device: any ProvisioningTransport
    private let joiner: any AccessPointJoiner
    private let clock: any ProvisioningClock

    /// A survey that has not begun.
    /// - Parameter security: the protection that is asked for; `nil` takes the one that the device offers, but
    ///   never none.
    package init(
        of code: SetupCode, _ security: ProvisioningSecurity?, at device: any ProvisioningTransport,
        joining joiner: any AccessPointJoiner, clock: any ProvisioningClock
    ) {
        self.code = code
        self.security = security
        self.device = device
        self.joiner = joiner
        self.clock = clock
    }

    /// The networks, the strongest first, each once.
    /// - Parameter timeouts: how long the device is looked for, and how long it may take to answer.
    /// - Throws: ``ProvisioningError``; `cancelled` where the task was.
    package func networks(
        within timeouts: ProvisioningTimeouts
    ) async throws(ProvisioningError) -> [VisibleNetwork] {
        let result: Result<[VisibleNetwork], ProvisioningError>
        do throws(ProvisioningError) {
            result = .success(try await look(within: timeouts))
        } catch {
            result = .failure(error)
        }
        await joiner.leave(code.name)
        guard !Task.isCancelled else {
            throw ProvisioningError(.cancelled, "the search for networks was cancelled", .runAgain)
        }
        return try result.get()
    }

    /// Looks for the device until it is found, and asks it.
    private func look(
        within timeouts: ProvisioningTimeouts
    ) async throws(ProvisioningError) -> [VisibleNetwork] {
        let end = clock.elapsed + timeouts.scanning
        while true {
            do throws(ProvisioningError) {
                return try await joinAndAsk(within: timeouts.connecting)
            } catch {
                let isAway = [.noAccessPoint, .connectionLost].contains(error.code)
                guard isAway, clock.elapsed < end, !Task.isCancelled else { throw error }
            }
            await clock.sleep(for: Self.pause)
        }
    }

    private func joinAndAsk(
        within limit: Duration
    ) async throws(ProvisioningError) -> [VisibleNetwork] {
        var obstacle: ProvisioningError?
        do throws(ProvisioningError) {
            try await joiner.join(code.name, password: code.accessPointPassword)
        } catch {
            // The user may have joined by hand.
            obstacle = error
        }
        do throws(ProvisioningError) {
            return try await ask(within: limit)
        } catch {
            throw error.code == .noAccessPoint ? obstacle ?? error : error
        }
    }

    private func ask(within limit: Duration) async throws(ProvisioningError) -> [VisibleNetwork] {
        let (networks, _) = await race(within: limit, by: clock) {
            () -> Result<[VisibleNetwork], ProvisioningError> in
            do throws(ProvisioningError) {
                let session = try await BoxedDeviceSession(
                    with: self.device, self.code, self.security, allowsWeak: false)
                return .success(try await session.networks())
            } catch {
                return .failure(error)
            }
        }
        guard let networks else { throw .timedOut(.connect) }
        return try networks.get()
    }
}
