public import Provisioning
public import ProvisioningProtocol

extension Home {
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
    /// - Throws: ``ProvisioningError``; `cancelled` where the task was.
    public func networks(
        inReachOf code: SetupCode, security: ProvisioningSecurity? = nil,
        at address: AccessPointAddress? = nil,
        joiner: any AccessPointJoiner = JoinedAccessPoint(),
        timeouts: ProvisioningTimeouts = ProvisioningTimeouts()
    ) async throws(ProvisioningError) -> [VisibleNetwork] {
        let clock = ContinuousProvisioningClock()
        return try await NetworkSurvey(
            of: code, security, at: HTTPBoxedDevice(at: address ?? .standard, clock: clock),
            joining: joiner, clock: clock
        ).networks(within: timeouts)
    }
}
