public import DeviceControl
public import DeviceDomain

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
        try await commands.send(name, .values(arguments), to: device, options)
    }

    /// As ``send(_:_:to:options:)->CommandReceipt``, to a device by its id or name: see ``find(_:)``.
    @discardableResult
    public func send(
        _ name: CommandName, _ arguments: JSONObject = [:], toDeviceCalled reference: String,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandReceipt {
        try await commands.send(name, .values(arguments), toDeviceCalled: reference, options)
    }

    /// As ``send(_:_:toDeviceCalled:options:)``, with arguments as somebody typed them.
    @discardableResult
    public func send(
        _ name: CommandName, typed arguments: TypedArguments, toDeviceCalled reference: String,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandReceipt {
        try await commands.send(name, .typed(arguments), toDeviceCalled: reference, options)
    }

    // MARK: Groups

    /// Sends a command to every device that passes a filter: all or none enter the ledger, in one
    /// batch. From then on each goes its own way, and a later process of the ledger goes on with what
    /// this one leaves open.
    ///
    /// A selected device that has no such command is left out: see ``CommandGroup/withoutCommand``.
    /// - Returns: an empty group where devices of the kind are there, and none meets the conditions.
    /// - Throws: ``HomeError`` `unknownDevice` where there is no device of the kind; `unknownMember` where a
    ///   condition is on a member that none of them reports; `refusedCommand` where no selected device has
    ///   the command, or its arguments do not fit one of them; else as
    ///   ``send(_:_:to:options:)->CommandReceipt``. Nothing was recorded or sent then.
    public func send(
        _ name: CommandName, _ arguments: JSONObject = [:], to selection: DeviceFilter,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandGroup {
        try await groups.send(name, .values(arguments), to: selection, options)
    }

    /// The same, with arguments as somebody typed them.
    public func send(
        _ name: CommandName, typed arguments: TypedArguments, to selection: DeviceFilter,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandGroup {
        try await groups.send(name, .typed(arguments), to: selection, options)
    }

    /// Sends a command to devices that somebody has listed, as a group: ids and names with commas between them, or
    /// patterns in which `*` stands for any characters and `?` for one. Whoever is named must have the command; of
    /// those that a pattern matches, the others are left out.
    /// - Throws: ``HomeError`` `unknownDevice` also for a pattern that matches no device; else as
    ///   ``send(_:_:to:options:)->CommandReceipt``. Nothing was recorded or sent then.
    public func send(
        _ name: CommandName, typed arguments: TypedArguments, toDevicesListedAs text: String,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandGroup {
        try await groups.send(name, .typed(arguments), toDevicesListedAs: text, options)
    }

    /// Sends the commands of a group again that have ended without being carried out: refused,
    /// rejected, failed or expired. They belong to the same group. One whose outcome is unknown may
    /// have been carried out: it is not sent again, and its own receipt is among those of the result.
    /// The group may be of an earlier run.
    /// - Throws: ``HomeError`` `unknownCommand` where the ledger has no such group; else as
    ///   ``send(_:_:to:options:)->CommandReceipt``.
    public func retry(
        _ group: CommandID, options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandGroup {
        try await groups.retry(group, options)
    }

    /// Undoes the commands of a group one after the other, the last one first. A step that is refused
    /// does not stop the others.
    /// - Parameter group: the id of the group, also of an earlier run.
    /// - Returns: a result for each command of the group; where it is an error, `cannotUndo` says why.
    /// - Throws: ``HomeError`` `unknownCommand` where the ledger has no such group, `ledger`.
    public func undo(group: CommandID) async throws(HomeError) -> [GroupStep] {
        try await groups.undo(group)
    }

    /// Whether the ledger has a group of this id.
    /// - Throws: ``HomeError`` `ledger`.
    public func hasGroup(_ id: CommandID) async throws(HomeError) -> Bool {
        try await groups.contains(id)
    }

    package var groups: GroupSending { GroupSending(commands: commands) }

    // MARK: Undoing

    /// Undoes the last command of this controller to a device that can be undone: a setting by the
    /// value that it replaced, an action that is under way by the command that reverses it.
    ///
    /// The device refuses it if its state has changed meanwhile, so that nobody's change is lost.
    /// - Throws: ``HomeError`` `cannotUndo` with the reason, and as ``send(_:_:to:options:)->CommandReceipt``.
    @discardableResult
    public func undo(_ device: DeviceID) async throws(HomeError) -> CommandReceipt {
        try await commands.compensate(device) { history throws(UndoRefusal) in try history.undo() }
    }

    /// Does again what was undone last on a device, unless another command has come since.
    /// - Throws: as ``undo(_:)``.
    @discardableResult
    public func redo(_ device: DeviceID) async throws(HomeError) -> CommandReceipt {
        try await commands.compensate(device) { history throws(UndoRefusal) in try history.redo() }
    }

    // MARK: Taking back

    /// Takes a command back: in the ledger while it waits, else by asking its device to stop it.
    ///
    /// What waits is taken back without a connection, whichever process waits for it.
    /// - Returns: the command as it stands after that; not `cancelled` where it could not be stopped.
    /// - Throws: ``HomeError`` `unknownCommand`, `foreignCommand`, `noConnection`, `ledger`.
    public func cancel(_ command: CommandID) async throws(HomeError) -> Cancellation {
        try await withdrawal.cancel(command)
    }

    /// Puts a command away whose outcome is unknown and whose device can no longer tell: it stays `unknown`
    /// in the history, and is no longer listed as open. Late evidence still decides. It needs no connection.
    /// - Returns: the command as it stands after that.
    /// - Throws: ``HomeError`` `unknownCommand`, `foreignCommand`, `notUnknown`, `ledger`.
    @discardableResult
    public func putAway(_ command: CommandID) async throws(HomeError) -> CommandRecord {
        try await withdrawal.putAway(command)
    }

    var withdrawal: CommandWithdrawal { CommandWithdrawal(commands: commands) }

    // MARK: Taking over

    /// Takes over the open commands of processes of this controller that have ended: commands that
    /// never left are sent, for the others the device is queried. Commands of running processes are
    /// not touched.
    /// - Returns: the commands that were taken over, once all are being sent or queried.
    /// - Throws: ``HomeError`` `ledger`.
    @discardableResult
    public func takeOverOpenCommands() async throws(HomeError) -> [CommandID] {
        try await commands.adoption.adoptOrphanedCommands()
    }

    /// Waits until nothing is due from the devices of these commands: they have answered, or are
    /// away. It does not wait for actions that run.
    /// - Parameters:
    ///   - commands: those that were taken over.
    ///   - limit: for all of them.
    public func settle(_ commands: [CommandID], within limit: Duration) async {
        await self.commands.adoption.settle(commands, within: limit)
    }

    /// Asks the devices about every command of this controller whose outcome is unknown, or that a dead
    /// process has left open, and waits for their answers. A device that is away is not waited for.
    /// - Returns: those commands as they stand after that, newest first; without those that still wait for
    ///   their devices.
    /// - Throws: ``HomeError`` `noConnection`, `ledger`.
    public func resolveUnknown() async throws(HomeError) -> [CommandRecord] {
        try await commands.adoption.resolveUnknown()
    }

    /// Says that the home has moved: what is open or unknown and was meant for another broker belongs to this
    /// home's from now on. It needs no connection.
    /// - Returns: those commands, as they stand after that.
    /// - Throws: ``HomeError`` `ledger`.
    @discardableResult
    public func moveCommandsHere() async throws(HomeError) -> [CommandRecord] {
        try await lifetime.withStorage { try await $0.moving.moveHere(of: controller, in: id) }
    }
}
