package import DeviceDomain
package import Keychain

/// What an attempt works with.
package struct ProvisioningParts: Sendable {
    /// The device's access point.
    package var device: any ProvisioningTransport
    /// Joins the access point.
    package var joiner: any AccessPointJoiner
    /// Issues the certificate.
    package var authority: any ClaimAuthority
    /// The home.
    package var home: any DeviceArrivalObserver
    /// Where the steps are written down.
    package var repository: any ProvisioningRepository
    /// Where the Wi-Fi password is while it is needed.
    package var keychain: any KeychainService
    /// What is waited by.
    package var clock: any ProvisioningClock
    /// The time of day.
    package var now: @Sendable () -> Timestamp
    /// How long each state lasts at most.
    package var timeouts = ProvisioningTimeouts()

    package init(
        device: any ProvisioningTransport, joiner: any AccessPointJoiner,
        authority: any ClaimAuthority,
        home: any DeviceArrivalObserver, repository: any ProvisioningRepository,
        keychain: any KeychainService, clock: any ProvisioningClock,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.device = device
        self.joiner = joiner
        self.authority = authority
        self.home = home
        self.repository = repository
        self.keychain = keychain
        self.clock = clock
        self.now = now
    }
}
