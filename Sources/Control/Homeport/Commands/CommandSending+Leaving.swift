internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
package import HomeModel

/// Commands of a home that another process owns, which sends them: devices are known from the ledger, and nothing of a
/// channel is opened. Elsewhere devices are heard, and commands leave from here.
extension CommandSending {
    /// Whether another process sends the commands of the home. Where nobody does, this one does from now on.
    package func isOwnedElsewhere() async throws(HomeError) -> Bool {
        try await lifetime.isOwnedElsewhere(observation.home, of: controller)
    }

    /// The device that is to get a command.
    func receiver(_ device: DeviceID) async throws(HomeError) -> KnownDevice {
        guard try await isOwnedElsewhere() else { return try await observation.receiver(device) }
        return try await recalled(device.text)
    }

    /// The device that is to get a command, by its id or name.
    package func receiver(called reference: String) async throws(HomeError) -> KnownDevice {
        guard try await isOwnedElsewhere() else { return try await observation.find(reference) }
        return try await recalled(reference)
    }

    /// The device of a command that is sent later, by its id or name: from the ledger where that knows its commands.
    func rememberedReceiver(_ reference: String) async throws(HomeError) -> KnownDevice {
        try await observation.findRemembered(reference) { reference throws(HomeError) in
            try await receiver(called: reference)
        }
    }

    /// Every device of the home that may get a command.
    func receivers() async throws(HomeError) -> [KnownDevice] {
        guard try await isOwnedElsewhere() else {
            return try await observation.survey(.everyDeviceWithoutTelemetry).devices
        }
        try await observation.recallDevices()
        return observation.live.model.allDevices
    }

    private func recalled(_ reference: String) async throws(HomeError) -> KnownDevice {
        if let known = try await observation.recallDevice(reference) { return known }
        let known = try await observation.rememberedDevices().map(\.profile)
        throw .unknownDevice(
            reference, in: observation.home.text, among: known.map { ($0.id, $0.name) },
            doubt:
                "another process owns the home, and the ledger knows the devices that it has heard, "
                + "new ones after a minute")
    }

    /// Puts commands into the ledger, all or none, for the process that owns the home, or the next one that does.
    /// - Parameter obstacle: why this process sends nothing.
    func leave(
        _ orders: [CommandOrder], obstacle: HomeError? = nil
    ) async throws(HomeError) -> [CommandReceipt] {
        let orders = orders.contains(where: \.lacksRevision) ? try await hearing(orders) : orders
        return try await lifetime.withStorage { storage in
            let invoker = storage.invoker
            let records: [CommandRecord]
            do throws(ControlError) {
                records = try await invoker.leave(orders)
            } catch {
                guard error.code == .cannotExpress else { throw error }
                records = try await invoker.leave(try await hearing(orders))
            }
            return records.map {
                CommandReceipt($0, invoker: invoker, obstacle: obstacle, isLeft: true)
            }
        }
    }

    /// The same commands for devices that were heard: some need the revision of the device's state, and some channels
    /// write a command only for devices that they know. That needs a connection.
    private func hearing(_ orders: [CommandOrder]) async throws(HomeError) -> [CommandOrder] {
        _ = try await observation.survey(.devices(Set(orders.map { $0.device.id })))
        return try orders.map { heard throws(HomeError) in
            guard let known = observation.live.device(heard.device.id) else { return heard }
            return try order(heard.name, .values(heard.arguments), for: known, heard.options)
        }
    }

    /// How long nobody may have owned a home before this process takes over what it has left there. Other instances
    /// take such a home earlier, and are connected.
    private static let patience = Duration.seconds(5)

    /// Takes the home over, with what this process has left to its owner, where nobody has owned it for a time. Without a
    /// connection it is left to others.
    package func takeOverWhenOwnerIsGone() async {
        let (clock, pause) = (observation.clock, Duration.seconds(1))
        var ownerless = Duration.zero
        while !Task.isCancelled {
            await clock.sleep(for: pause)
            let isFree = await lifetime.isOwnerless(observation.home, of: controller)
            ownerless = isFree ? ownerless + pause : .zero
            guard ownerless >= Self.patience, !Task.isCancelled,
                (try? await observation.requireConnection()) != nil
            else { continue }
            // Where it fails, the next time is soon.
            _ = try? await adoption.adoptOrphanedCommands()
        }
    }
}
