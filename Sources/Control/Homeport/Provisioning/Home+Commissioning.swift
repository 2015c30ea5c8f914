internal import Connectivity
public import DeviceDomain
public import Keychain
internal import MatterAdapter
public import Provisioning
public import ProvisioningProtocol

extension Home {
    /// Brings a Matter device onto the server of a channel.
    ///
    /// ```swift
    /// let code = try MatterSetupCode(text: "3497-011-2332")
    /// let result = try await home.commission(code, on: "house", keychain: keychain) { print($0) }
    /// ```
    /// The server is asked to commission the device once; where its answer is lost, its nodes show what became of the
    /// device. What an earlier process has left open for the same code is resumed. Cancelling takes the attempt back,
    /// for which the server's answer is waited for.
    /// - Parameters:
    ///   - code: what the device's label says.
    ///   - channel: a channel of kind `matter`.
    ///   - wiFi: the Wi-Fi network that the server gives to new devices from now on; `nil` leaves the one that it knows.
    ///   - thread: the Thread network, likewise.
    ///   - networkOnly: whether the device is looked for in the server's network alone, and not by Bluetooth.
    ///   - keychain: where the key is by which records name a code without telling it.
    ///   - report: is told every event while the attempt runs.
    /// - Returns: how it ended; that it failed is a value, too.
    /// - Throws: ``HomeError`` `unknownChannel` where the home has no such channel of kind `matter`; `failed` where the
    ///   keychain cannot be used; `ledger`.
    public func commission(
        _ code: consuming MatterSetupCode, on channel: ChannelID, wiFi: WiFiAccess? = nil,
        thread: ThreadDataset? = nil, networkOnly: Bool = false, keychain: any KeychainService,
        report: @escaping @Sendable (ProvisioningEvent) -> Void = { _ in }
    ) async throws(HomeError) -> CommissioningResult {
        guard let place = observation.channel(channel),
            let server = place.channel as? MatterChannel
        else { throw .unknownChannel(channel, kind: .matter, in: self) }
        let (clock, wall) = (ContinuousProvisioningClock(), configuration.clock)
        let parts = CommissioningParts(
            server: server, at: place.setup.address,
            repository: try await lifetime.storage().commissioning, keychain: keychain,
            clock: clock, now: { wall.now.wall })
        var order = CommissioningOrder(
            code, home: id, channel: channel, wiFi: wiFi, thread: thread)
        order.networkOnly = networkOnly
        let context: CommissioningContext
        do throws(ProvisioningError) {
            context = try await CommissioningContext(order, with: parts)
        } catch {
            throw HomeError(.failed, "\(error)")
        }
        return await withTaskGroup { group in
            group.addTask {
                for await event in context.events { report(event) }
            }
            let result = await context.run()
            await group.waitForAll()
            return result
        }
    }
}

extension HomeError {
    fileprivate static func unknownChannel(
        _ channel: ChannelID, kind: ChannelKind, in home: Home
    ) -> HomeError {
        let known = home.configuration.channels.filter { $0.kind == kind }.map(\.id.text)
        return HomeError(
            .unknownChannel,
            "the home \(home.id) has no channel \(channel) of kind \(kind.rawValue); "
                + (known.isEmpty
                    ? "add one to the configuration file"
                    : "it has \(known.joined(separator: ", "))"))
    }
}
