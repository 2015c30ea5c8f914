internal import Connectivity
internal import DeviceControl
public import DeviceDomain
public import DeviceIdentity
public import Keychain
internal import MQTTClient
internal import MosquittoAdapter
public import Provisioning
public import ProvisioningProtocol

/// How a boxed device is to come into a home.
public struct ProvisioningRequest: Sendable {
    /// What the device's label says.
    public var code: SetupCode
    /// The name of the Wi-Fi network.
    public var ssid: String
    /// Its password; empty for an open network.
    public var password: Secret
    /// The name that the device gets; `nil` for one that is made from the label.
    public var device: DeviceID?
    /// The protection that is asked for; `nil` takes the one that the label or else the device names, but never
    /// none.
    public var security: ProvisioningSecurity?
    /// Whether a session of Security 2 may repeat a nonce, which lets a listener read the Wi-Fi password.
    public var allowsWeakSession = false
    /// Where the access point answers; `nil` for a vendor's own address.
    public var address: AccessPointAddress?
    /// The URL of the broker that the device is told to join; `nil` for that of the home's configuration, else the
    /// listener of devices of the broker that was exported last, else the home's own broker.
    public var deviceBroker: String?
    /// Joins the access point.
    public var joiner: any AccessPointJoiner
    /// How long each state lasts at most.
    public var timeouts = ProvisioningTimeouts()

    public init(
        _ code: SetupCode, ssid: String, password: Secret, as device: DeviceID? = nil,
        security: ProvisioningSecurity? = nil, at address: AccessPointAddress? = nil,
        joiner: any AccessPointJoiner = JoinedAccessPoint()
    ) {
        self.code = code
        self.ssid = ssid
        self.password = password
        self.device = device
        self.security = security
        self.address = address
        self.joiner = joiner
    }
}

extension Home {
    /// Brings a boxed device into the home.
    ///
    /// ```swift
    /// let result = try await home.provision(
    ///     ProvisioningRequest(code, ssid: "attic", password: password),
    ///     authority: authority, keychain: keychain) { print($0) }
    /// ```
    /// What an earlier process has left open for the same device is resumed. Cancelling takes the attempt back.
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
        let context = try await context(consume request, authority, keychain)
        return await withTaskGroup { group in
            group.addTask {
                for await event in context.events { report(event) }
            }
            let result = await context.run()
            await group.waitForAll()
            return result
        }
    }

    private func context(
        _ request: consuming ProvisioningRequest, _ authority: IdentityAuthority,
        _ keychain: any KeychainService
    ) async throws(HomeError) -> ProvisioningContext {
        guard let setup = stations.map(\.setup).first(where: { $0.kind == .homeportMQTT }),
            let own = setup.connection?.latestBroker
        else {
            throw HomeError(
                .configuration,
                "the home \(id) has no channel of kind homeport-mqtt, which boxed devices join")
        }
        let broker = try await deviceBroker(request.deviceBroker, authority) ?? own
        let clock = ContinuousProvisioningClock()
        var order = ProvisioningOrder(
            request.code, as: request.device, home: id, broker: "\(broker)", ssid: request.ssid,
            password: request.password, security: request.security)
        order.allowsWeakSession = request.allowsWeakSession
        var parts = ProvisioningParts(
            device: HTTPBoxedDevice(at: request.address ?? .standard, clock: clock),
            joiner: request.joiner,
            authority: HomeClaimAuthority(authority: authority, usesTLS: broker.usesTLS),
            home: HomeReception(home: self), repository: try await openedControl().provisioning,
            keychain: keychain, clock: clock, now: { MachineClock.wallTime })
        parts.timeouts = request.timeouts
        do {
            return try ProvisioningContext(order, with: parts)
        } catch {
            throw HomeError(.configuration, "\(error)")
        }
    }
    /// The broker that a boxed device is told to join, where that is not the one that the home itself uses.
    private func deviceBroker(
        _ named: String?, _ authority: IdentityAuthority
    ) async throws(HomeError) -> MQTTBrokerAddress? {
        do {
            let url =
                if let known = named ?? configuration.deviceBroker { known } else {
                    try await authority.exported()?.devices
                }
            return try url.map { url throws(MQTTError) in try MQTTBrokerAddress(url: url) }
        } catch {
            throw HomeError(.configuration, "the broker of devices: \(error)")
        }
    }
}
