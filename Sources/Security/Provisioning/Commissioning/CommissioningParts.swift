package import DeviceDomain
package import Keychain
package import MatterAdapter

/// What an attempt to bring a Matter device in works with.
package struct CommissioningParts: Sendable {
    /// The server.
    package var server: any CommissioningServer
    /// Where messages say that the server is.
    package var address: String
    /// Where the steps are written down.
    package var repository: any CommissioningRepository
    /// Where the key of the labels is.
    package var keychain: any KeychainService
    /// What is waited by.
    package var clock: any ProvisioningClock
    /// The time of day.
    package var now: @Sendable () -> Timestamp
    /// How long each state lasts at most.
    package var timeouts = ProvisioningTimeouts.commissioning

    package init(
        server: any CommissioningServer, at address: String,
        repository: any CommissioningRepository, keychain: any KeychainService,
        clock: any ProvisioningClock, now: @escaping @Sendable () -> Timestamp
    ) {
        self.server = server
        self.address = address
        self.repository = repository
        self.keychain = keychain
        self.clock = clock
        self.now = now
    }
}

extension ProvisioningTimeouts {
    /// Those of a Matter server. It looks 30 s for a device, sets it up within a fail-safe of 60 s, and asks it up to
    /// three times what it is (python-matter-server 8.1); scanning may wait for the end of an earlier process's
    /// request.
    public static let commissioning: ProvisioningTimeouts = {
        var timeouts = ProvisioningTimeouts()
        timeouts.confirming = .seconds(240)
        timeouts.scanning = timeouts.confirming + .seconds(60)
        timeouts.rollingBack = .seconds(90)
        return timeouts
    }()
}
