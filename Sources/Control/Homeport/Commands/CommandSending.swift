internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel

/// The way of a command into the ledger: its device is found, it is checked against the device's description,
/// and it is submitted or queued.
package struct CommandSending: Sendable {
    let adoption: CommandAdoption

    var observation: HomeObservation { adoption.observation }
    var lifetime: HomeLifetime { observation.lifetime }
    var controller: ControllerID { adoption.controller }
    var deviceFactory: DeviceFactory { adoption.deviceFactory }

    /// Sends a command to a device; without a connection one that may wait is queued.
    func send(
        _ name: CommandName, _ arguments: GivenArguments, to device: DeviceID,
        _ options: CommandOptions
    ) async throws(HomeError) -> CommandReceipt {
        let known: KnownDevice
        do throws(HomeError) {
            known = try await receiver(device)
        } catch {
            guard error.code == .noConnection else { throw error }
            return try await queue(name, arguments, for: device, options, error)
        }
        return try await submit(try order(name, arguments, for: known, options))
    }

    /// The same for a device by its id or name.
    func send(
        _ name: CommandName, _ arguments: GivenArguments, toDeviceCalled reference: String,
        _ options: CommandOptions
    ) async throws(HomeError) -> CommandReceipt {
        if try await isOwnedElsewhere() {
            let known = try await receiver(called: reference)
            return try await submit(try order(name, arguments, for: known, options))
        }
        if let id = DeviceID(rawValue: reference) {
            do throws(HomeError) {
                return try await send(name, arguments, to: id, options)
            } catch {
                switch error.code {
                case .unknownDevice: break
                // The device may have been named so, and wait for its command.
                case .noConnection:
                    guard let named = await observation.labels.device(called: reference) else {
                        throw error
                    }
                    return try await queue(name, arguments, for: named, options, error)
                default: throw error
                }
            }
        }
        if let named = await observation.labels.device(called: reference) {
            return try await send(name, arguments, to: named, options)
        }
        let known = try await observation.find(reference)
        return try await send(name, arguments, to: known.id, options)
    }

    /// A command that its device accepts as far as its description tells.
    func order(
        _ name: CommandName, _ arguments: GivenArguments, for known: KnownDevice,
        _ options: CommandOptions
    ) throws(HomeError) -> CommandOrder {
        let values = arguments.values(for: name, of: known.profile)
        do {
            return try CommandOrder(
                name, values, for: known.device(madeBy: deviceFactory),
                heardOn: known.channel, options: options)
        } catch {
            // What is wrong with a device's description tells more than that it has no commands.
            let cause = error == .takesNoCommands ? known.problems[.description] : nil
            throw HomeError(
                .refusedCommand, "\(known.id): \(error)" + (cause.map { ": \($0)" } ?? ""))
        }
    }

    /// Submits a command.
    /// - Parameter obstacle: why it cannot leave now.
    func submit(
        _ order: CommandOrder, obstacle: HomeError? = nil
    ) async throws(HomeError) -> CommandReceipt {
        let receipts = try await submit([order], obstacle: obstacle)
        guard let receipt = receipts.first else {
            throw HomeError(
                .ledger, "the ledger returned no record of \(order.name.rawValue)")
        }
        return receipt
    }

    /// Submits commands in one batch: all enter the ledger, or none.
    func submit(
        _ orders: [CommandOrder], obstacle: HomeError? = nil
    ) async throws(HomeError) -> [CommandReceipt] {
        guard !orders.isEmpty else { return [] }
        if try await isOwnedElsewhere() { return try await leave(orders) }
        // Machines may name one broker differently, so that a command for this one's would never leave from another.
        if let obstacle, lifetime.hasSharedLedger,
            await !lifetime.owns(observation.home, of: controller)
        {
            return try await leave(orders, obstacle: obstacle)
        }
        do {
            return try await sendFromHere(orders, obstacle)
        } catch {
            // Another process has taken the home in this moment.
            guard error.code == .ownedElsewhere, try await isOwnedElsewhere() else { throw error }
            return try await leave(orders)
        }
    }

    private func sendFromHere(
        _ orders: [CommandOrder], _ obstacle: HomeError?
    ) async throws(HomeError) -> [CommandReceipt] {
        if obstacle == nil { try await adoptSettings(before: orders) }
        return try await lifetime.withStorage { storage in
            let records = try await storage.invoker.submit(orders)
            await follow(records)
            return records.map { record in
                CommandReceipt(
                    record, invoker: storage.invoker,
                    obstacle: obstacle ?? self.obstacle(to: record))
            }
        }
    }

    /// Lets commands that wait go over the channels of their devices, which may have changed while the ledger
    /// took the commands in.
    private func follow(_ records: [CommandRecord]) async {
        let hasMoved = records.contains { record in
            guard record.state == .queued, let known = observation.live.device(record.intent.device)
            else { return false }
            return known.ways != nil && known.channel != record.prepared.channel
        }
        if hasMoved { await observation.reroute(deviceFactory) }
    }

    /// Takes over what dead processes leave open, where the orders may change a setting that is kept for its
    /// device: what the device reports until then may be the only proof that it has applied that one.
    private func adoptSettings(before orders: [CommandOrder]) async throws(HomeError) {
        let mayBeKept = orders.contains {
            $0.device.profile.specification(of: $0.name)?.offline == .desired
        }
        if mayBeKept { try await adoption.adoptOrphanedCommands() }
    }

    /// The failure of the channel that a queued command waits for, where it is one of several.
    ///
    /// With a single channel the command was only submitted because the link worked a moment ago, and
    /// the link is being made again.
    private func obstacle(to record: CommandRecord) -> HomeError? {
        let channel = record.prepared.channel
        guard observation.channels.count > 1, record.state == .queued,
            case .lost(let error, _)? = observation.live.links[channel]
        else { return nil }
        return HomeError(error, at: observation.address(of: channel))
    }

    /// Puts a command that may wait into the ledger although there is no connection. It is sent when
    /// the connection is back, by this home or by the next process of the ledger.
    ///
    /// The device is known from the ledger, or because this home heard it before the link was lost.
    private func queue(
        _ name: CommandName, _ arguments: GivenArguments, for device: DeviceID,
        _ options: CommandOptions, _ obstacle: HomeError
    ) async throws(HomeError) -> CommandReceipt {
        let live = observation.live
        if live.device(live.identities.device(device))?.profile == nil,
            let remembered = try await observation.rememberedDevice(device)
        {
            live.remember([remembered])
        }
        guard let known = live.device(live.identities.device(device)),
            let specification = known.profile?.specification(of: name),
            specification.offline != .failFast
        else { throw obstacle }
        var options = options
        options.lifetime = options.lifetime ?? options.waitingTime(under: specification.offline)
        let order: CommandOrder
        do {
            order = try self.order(name, arguments, for: known, options)
        } catch {
            throw obstacle
        }
        return try await submit(order, obstacle: obstacle)
    }

}
