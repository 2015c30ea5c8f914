internal import Basics
internal import Connectivity
public import DeviceControl
public import DeviceDomain
internal import HomeModel

extension Home {
    /// Sends a command of the type that the device understands.
    ///
    /// ```swift
    /// let receipt = try await home.send(.startCleaning(rooms: [1, 2]), to: robot)
    /// print(try await receipt.outcome(.accepted))
    /// ```
    /// It is checked against the device's own description before anything is recorded or sent, and
    /// it is in the ledger when the call returns. Without a connection a command whose policy lets it
    /// wait is queued: see ``CommandReceipt/obstacle``.
    /// - Throws: ``HomeError`` `refusedCommand`, `unknownDevice`, `noConnection`, `badLifetime`,
    ///   `ledger`.
    @discardableResult
    public func send<Receiver: Device>(
        _ command: CommandRequest<Receiver>, to receiver: Receiver,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandReceipt {
        try await send(command.name, command.arguments, to: receiver.id, options: options)
    }

    /// As for a `CommandRequest`, for a command type of a program's own.
    @discardableResult
    public func send<Command: DeviceCommand>(
        _ command: Command, to receiver: Command.Receiver,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandReceipt {
        try await send(command.name, command.arguments, to: receiver.id, options: options)
    }

    /// Sends a command by its name to any device.
    /// - Throws: as for a typed command.
    @discardableResult
    public func send(
        _ name: CommandName, _ arguments: JSONObject = [:], to device: DeviceID,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandReceipt {
        try await send(name, .values(arguments), to: device, options)
    }

    private func send(
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

    /// As ``send(_:_:to:options:)``, to a device by its id or name: see ``find(_:)``.
    @discardableResult
    public func send(
        _ name: CommandName, _ arguments: JSONObject = [:], toDeviceCalled reference: String,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandReceipt {
        try await send(name, .values(arguments), toDeviceCalled: reference, options)
    }

    /// As ``send(_:_:toDeviceCalled:options:)``, with arguments as somebody typed them.
    @discardableResult
    public func send(
        _ name: CommandName, typed arguments: TypedArguments, toDeviceCalled reference: String,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandReceipt {
        try await send(name, .typed(arguments), toDeviceCalled: reference, options)
    }

    private func send(
        _ name: CommandName, _ arguments: GivenArguments, toDeviceCalled reference: String,
        _ options: CommandOptions
    ) async throws(HomeError) -> CommandReceipt {
        if let id = DeviceID(rawValue: reference) {
            do throws(HomeError) {
                return try await send(name, arguments, to: id, options)
            } catch {
                guard error.code == .unknownDevice else { throw error }
            }
        }
        let known = try await find(reference)
        return try await send(name, arguments, to: known.id, options)
    }

    /// The device as it is known now; it is looked for unless it is heard already.
    func receiver(_ device: DeviceID) async throws(HomeError) -> KnownDevice {
        if let known = live.device(device), isHeard(known) { return known }
        guard let known = try await knownDevice(device) else {
            throw .unknownDevice(device.text, in: id)
        }
        return known
    }

    /// Whether what is known of a device holds at this moment.
    private func isHeard(_ device: KnownDevice) -> Bool {
        guard case .described = device.identity else { return false }
        return hearings.withLock { hearings in
            hearings[device.channel]?.replayed?.contains(device.id) ?? false
        }
    }

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

    func submit(
        _ order: CommandOrder, obstacle: HomeError? = nil
    ) async throws(HomeError) -> CommandReceipt {
        let control = try await openedControl()
        if obstacle == nil { try await takeOverSettings(before: [order]) }
        do {
            let record = try await control.invoker.submit(order)
            return CommandReceipt(
                record, invoker: control.invoker, obstacle: obstacle ?? self.obstacle(to: record))
        } catch {
            throw HomeError(error)
        }
    }

    /// Takes over what dead processes leave open, where the orders may change a setting that is kept for its
    /// device: what the device reports until then may be the only proof that it has applied that one.
    func takeOverSettings(before orders: [CommandOrder]) async throws(HomeError) {
        let mayBeKept = orders.contains {
            $0.device.profile.specification(of: $0.name)?.offline == .desired
        }
        if mayBeKept { try await takeOverOpenCommands() }
    }

    /// The failure of the channel that a queued command waits for, where it is one of several.
    ///
    /// With a single channel the command was only submitted because the link worked a moment ago, and
    /// the link is being made again.
    func obstacle(to record: CommandRecord) -> HomeError? {
        let channel = record.prepared.channel
        guard stations.count > 1, record.state == .queued,
            case .lost(let error, _)? = live.links[channel]
        else { return nil }
        return HomeError(error, at: address(of: channel))
    }

    /// Puts a command that may wait into the ledger although there is no connection. It is sent when
    /// the connection is back, by this home or by the next process of the ledger.
    ///
    /// The device is known from the ledger, or because this home heard it before the link was lost.
    private func queue(
        _ name: CommandName, _ arguments: GivenArguments, for device: DeviceID,
        _ options: CommandOptions, _ obstacle: HomeError
    ) async throws(HomeError) -> CommandReceipt {
        if live.device(device)?.profile == nil, let remembered = await rememberedDevice(device) {
            live.remember([remembered])
        }
        guard let known = live.device(device),
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
