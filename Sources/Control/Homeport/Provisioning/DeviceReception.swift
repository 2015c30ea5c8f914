internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceIdentity
internal import Keychain
internal import MQTTClient
internal import MosquittoAdapter
internal import Provisioning

/// Brings boxed devices into a home.
struct DeviceReception: Sendable {
    let home: Home
    let authority: IdentityAuthority
    let keychain: any KeychainService

    func receive(
        _ request: consuming ProvisioningRequest,
        report: @escaping @Sendable (ProvisioningEvent) -> Void
    ) async throws(HomeError) -> ProvisioningResult {
        let context = try await context(consume request)
        return await context.events.reporting(report) { await context.run() }
    }

    private func context(
        _ request: consuming ProvisioningRequest
    ) async throws(HomeError) -> ProvisioningContext {
        guard let setup = home.configuration.channels.first(where: { $0.kind == .homeportMQTT }),
            let own = setup.connection?.latestBroker
        else {
            throw HomeError(
                .configuration,
                "the home \(home.id) has no channel of kind homeport-mqtt, which boxed devices join"
            )
        }
        let broker = try await deviceBroker(request.deviceBroker) ?? own
        let (clock, wall) = (ContinuousProvisioningClock(), home.configuration.clock)
        var order = ProvisioningOrder(
            request.code, as: request.device, home: home.id, broker: "\(broker)",
            ssid: request.ssid,
            password: request.password, security: request.security)
        order.allowsWeakSession = request.allowsWeakSession
        var parts = ProvisioningParts(
            device: HTTPProvisioningTransport(at: request.address ?? .standard, clock: clock),
            joiner: request.joiner,
            authority: HomeClaimAuthority(authority: authority, usesTLS: broker.usesTLS),
            home: ProvisionedDeviceWatcher(home: home),
            repository: try await home.lifetime.storage().provisioning,
            keychain: keychain, clock: clock, now: { wall.now.wall })
        parts.timeouts = request.timeouts
        do {
            return try ProvisioningContext(order, with: parts)
        } catch {
            throw HomeError(.configuration, "\(error)")
        }
    }

    /// The broker that a boxed device is told to join, where that is not the one that the home itself uses.
    private func deviceBroker(
        _ named: String?
    ) async throws(HomeError) -> MQTTBrokerAddress? {
        do {
            let url =
                if let known = named ?? home.configuration.deviceBroker { known } else {
                    try await authority.exported()?.devices
                }
            return try url.map { url throws(MQTTError) in try MQTTBrokerAddress(url: url) }
        } catch {
            throw HomeError(.configuration, "the broker of devices: \(error)")
        }
    }
}
