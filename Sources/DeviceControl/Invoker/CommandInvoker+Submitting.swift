internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    /// Accepts a command into the ledger and begins to send it.
    ///
    /// When it returns, the command is durable; follow it with ``outcome(of:goal:within:)``. A
    /// command that does not wait for an offline device comes back as `refused`.
    /// - Throws: ``ControlError``. Nothing was recorded or sent then, unless the ledger failed
    ///   after it had taken the command in; the history tells.
    @discardableResult
    public func submit<Command: DeviceCommand>(
        _ command: Command, to receiver: Command.Receiver, options: CommandOptions = .init()
    ) async throws(ControlError) -> CommandRecord {
        let conversation = try await conversation(with: receiver)
        let intent = try intent(
            command.name, command.arguments, for: receiver, options,
            isOffline: reach(of: conversation) == .offline)
        return try await enlist(intent)
    }

    /// Accepts a command that was checked by its device's own description.
    @discardableResult
    public func submit(_ command: DescribedCommand, options: CommandOptions = .init())
        async throws(ControlError) -> CommandRecord
    {
        try await submit(command, to: command.receiver, options: options)
    }

    /// Puts a command into the ledger and into the care of the invoker.
    func enlist(_ intent: CommandIntent) async throws(ControlError) -> CommandRecord {
        let now = clock.now
        let address = DeviceAddress(home: intent.home, device: intent.device)
        let reach = reach(of: address)
        var lifecycle = CommandLifecycle(intent, at: now, seed: generator.next())
        var actions = lifecycle.handle(.enqueued(reach), at: now)
        if let revision = conversations[address]?.revision {
            _ = lifecycle.handle(.state(revision: revision), at: now)
        }
        var tracked = TrackedCommand(lifecycle: lifecycle)
        tracked.isBusy = true
        commands[intent.id] = tracked
        do {
            // Not assigned at once: an optional chain before `await` is read before the wait, and
            // its writing back would undo what came meanwhile.
            let record = try await ledger.accept(intent, opening: lifecycle.progress)
            commands[intent.id]?.record = record
        } catch {
            forget(intent.id)
            throw ControlError(error)
        }
        actions.removeAll { $0 == .record }
        for action in actions { _ = await perform(action, for: intent.id) }
        commands[intent.id]?.isBusy = false
        await post(.reach(self.reach(of: address)), to: intent.id)
        guard let record = commands[intent.id]?.current else {
            throw ControlError(.unknownID, "the command \(intent.id) is not followed any more")
        }
        return record
    }

    private func intent(
        _ name: CommandName, _ arguments: JSONObject, for device: any Device,
        _ options: CommandOptions, isOffline: Bool
    ) throws(ControlError) -> CommandIntent {
        let specification = device.profile.specification(of: name) ?? .bare(name)
        let lifetime = options.lifetime ?? specification.lifetime(isOffline: isOffline)
        guard CommandOptions.allowedLifetimes.contains(lifetime) else {
            throw ControlError(
                .badLifetime, "a command may wait from 1 ms to 24 h for its start, not \(lifetime)")
        }
        let now = clock.now.wall
        let intent = CommandIntent(
            id: CommandID(at: now, using: &generator), controller: controller,
            home: device.profile.home, device: device.id, name: name, arguments: arguments,
            lane: specification.lane, sort: specification.sort, offline: specification.offline,
            issuedAt: now, expiresAt: now.advanced(by: lifetime),
            ifRevision: options.ifRevision
                ?? (specification.needsIfRevision ? device.report.revision : nil),
            cause: options.cause, isDryRun: options.isDryRun)
        try refuseIfTooLarge(intent)
        return intent
    }

    private func refuseIfTooLarge(_ intent: CommandIntent) throws(ControlError) {
        let size = intent.payload(sequence: JSONValue.largestInteger).count
        guard size > JSONLimits.wire.bytes else { return }
        throw ControlError(
            .tooLarge,
            "the command would take \(size) bytes, and \(JSONLimits.wire.bytes) are allowed")
    }
}

extension CommandSpecification {
    /// How long the command may wait if the user says nothing.
    fileprivate func lifetime(isOffline: Bool) -> Duration {
        if isOffline, case .expire(let time) = offline { return time }
        return CommandOptions.usualLifetime
    }
}
