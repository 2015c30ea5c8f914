public import DeviceIdentity
public import Keychain
public import Provisioning
public import ProvisioningProtocol

extension Home {
    /// Brings a boxed device into the home.
    ///
    /// ```swift
    /// let result = try await home.provision(
    ///     ProvisioningRequest(code, ssid: "attic", password: password),
    ///     authority: authority, keychain: keychain) { print($0) }
    /// ```
    /// What an earlier process has left open for the same device is resumed. Cancelling takes the attempt
    /// back; where the device was told to join, it may join all the same, and the attempt ends as unknown.
    /// - Parameters:
    ///   - request: who gives it away with `consume` keeps no password in memory while the attempt runs.
    ///   - authority: issues the device's certificate.
    ///   - keychain: where the Wi-Fi password is while it is needed.
    ///   - report: is told every event while the attempt runs.
    /// - Returns: how it ended; that it failed is a value, too.
    /// - Throws: ``HomeError`` `configuration` where no channel is of the kind that boxed devices join, or no name
    ///   for the device can be made; `ledger`.
    public func provision(
        _ request: consuming ProvisioningRequest, authority: IdentityAuthority,
        keychain: any KeychainService,
        report: @escaping @Sendable (ProvisioningEvent) -> Void = { _ in }
    ) async throws(HomeError) -> ProvisioningResult {
        try await DeviceReception(home: self, authority: authority, keychain: keychain)
            .receive(consume request, report: report)
    }

    /// Asks a boxed device which Wi-Fi networks it finds, so that a user can choose one before the password is
    /// asked for.
    ///
    /// ```swift
    /// let networks = try await home.networks(inReachOf: code, joiner: NetworkManagerJoiner())
    /// for network in networks { print(network.name, network.signalDBm) }
    /// ```
    /// - Parameters:
    ///   - code: what the device's label says.
    ///   - security: the protection that is asked for; `nil` takes the one that the device offers, but never
    ///     none.
    ///   - address: where the access point answers; `nil` for a vendor's own address.
    ///   - joiner: joins the access point, and leaves it again.
    ///   - timeouts: `scanning` is how long the access point is tried, `connecting` how long the device may take
    ///     to answer.
    /// - Returns: the strongest first, each name once.
    /// - Throws: `ProvisioningError`; `cancelled` where the task was.
    public func networks(
        inReachOf code: SetupCode, security: ProvisioningSecurity? = nil,
        at address: AccessPointAddress? = nil,
        joiner: any AccessPointJoiner = JoinedAccessPoint(),
        timeouts: ProvisioningTimeouts = ProvisioningTimeouts()
    ) async throws(ProvisioningError) -> [VisibleNetwork] {
        let clock = ContinuousProvisioningClock()
        return try await NetworkSurvey(
            of: code, security,
            at: HTTPProvisioningTransport(at: address ?? .standard, clock: clock),
            joining: joiner, clock: clock
        ).networks(within: timeouts)
    }
}
