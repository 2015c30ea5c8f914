internal import Connectivity
internal import DeviceDomain
public import Keychain
internal import MatterAdapter
public import Provisioning
public import ProvisioningProtocol

/// Brings Matter devices onto the server of a channel of a home: see ``Home/commissioner(on:)``.
public struct MatterCommissioner: Sendable {
    private let home: Home
    private let address: String
    private let server: MatterChannel

    init(of home: Home, at address: String, _ server: MatterChannel) {
        self.home = home
        self.address = address
        self.server = server
    }

    /// Brings a device in.
    ///
    /// ```swift
    /// let code = try MatterSetupCode(text: "3497-011-2332")
    /// let result = try await home.commissioner(on: "house").bringIn(code, keychain: keychain) { print($0) }
    /// ```
    /// The server is asked to commission the device once; where its answer is lost, its nodes show what became of the
    /// device. What an earlier process has left open for the same code is resumed. Cancelling takes the attempt back,
    /// for which the server's answer is waited for.
    /// - Parameters:
    ///   - code: what the device's label says.
    ///   - wiFi: the Wi-Fi network that the server gives to new devices from now on; `nil` leaves the one that it knows.
    ///   - thread: the Thread network, likewise.
    ///   - networkOnly: whether the device is looked for in the server's network alone, and not by Bluetooth.
    ///   - keychain: where the key is by which records name a code without telling it.
    ///   - report: is told every event while the attempt runs.
    /// - Returns: how it ended; that it failed is a value, too.
    /// - Throws: ``HomeError`` `failed` where the keychain cannot be used; `ledger`.
    public func bringIn(
        _ code: consuming MatterSetupCode, wiFi: WiFiAccess? = nil, thread: ThreadDataset? = nil,
        networkOnly: Bool = false, keychain: any KeychainService,
        report: @escaping @Sendable (ProvisioningEvent) -> Void = { _ in }
    ) async throws(HomeError) -> CommissioningResult {
        let (clock, wall) = (ContinuousProvisioningClock(), home.configuration.clock)
        let parts = CommissioningParts(
            server: server, at: address,
            repository: try await home.lifetime.storage().commissioning, keychain: keychain,
            clock: clock, now: { wall.now.wall })
        var order = CommissioningOrder(
            code, home: home.id, channel: server.id, wiFi: wiFi, thread: thread)
        order.networkOnly = networkOnly
        let context: CommissioningContext
        do throws(ProvisioningError) {
            context = try await CommissioningContext(order, with: parts)
        } catch {
            throw HomeError(.failed, "\(error)")
        }
        return await context.events.reporting(report) { await context.run() }
    }
}
