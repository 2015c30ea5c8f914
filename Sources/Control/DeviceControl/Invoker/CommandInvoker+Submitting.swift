internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    /// Accepts commands into the ledger, all or none, and begins to send them.
    ///
    /// When it returns, the commands are durable; follow them with ``outcome(of:goal:within:)``. A
    /// command that does not wait for an offline device comes back as `refused`.
    /// - Returns: the records in the order of the orders.
    /// - Throws: ``ControlError``. Nothing was recorded or sent then, unless the ledger failed
    ///   after it had taken the commands in; the history tells.
    @discardableResult
    public func submit(_ orders: [CommandOrder]) async throws(ControlError) -> [CommandRecord] {
        try requireRunning()
        var drafts: [Draft] = []
        for order in orders {
            drafts.append(Draft(order: order, lane: try lane(for: order)))
        }
        for draft in drafts { await draft.lane.firstAttempt() }
        // Waiting for the attempts, the invoker may have stopped.
        try requireRunning()
        try refuseIfFull(drafts)
        for index in drafts.indices {
            let (order, lane) = (drafts[index].order, drafts[index].lane)
            drafts[index].intent = try intent(
                of: order, mayBeAway: lane.reach == .offline, knowing: lane.conversation.revision)
        }
        await followed.withdrawals.findEndOfLog()
        return try await accept(drafts)
    }

    /// Accepts one command: see ``submit(_:)-([CommandOrder])``.
    @discardableResult
    public func submit(_ order: CommandOrder) async throws(ControlError) -> CommandRecord {
        guard let record = try await submit([order]).first else {
            throw ControlError(.ledger, "the ledger returned no record of \(order.name.rawValue)")
        }
        return record
    }

    /// An order on its way into the ledger.
    private struct Draft {
        let order: CommandOrder
        let lane: DeviceLane
        var intent: CommandIntent?
    }

    private func lane(for order: CommandOrder) throws(ControlError) -> DeviceLane {
        do {
            let choice = try factory.choice(for: order.device.profile, heardOn: order.heardOn)
            return lane(to: order.device, over: choice.channel)
        } catch {
            throw ControlError(.noChannel, error.message)
        }
    }

    private func refuseIfFull(_ drafts: [Draft]) throws(ControlError) {
        for (id, new) in Dictionary(grouping: drafts, by: \.lane.id) {
            let waiting = lanes[id]?.waitingCount ?? 0
            guard waiting + new.count > Self.longestQueue else { continue }
            throw ControlError(
                .queueFull,
                "\(waiting) commands wait for \(id.device), and at most \(Self.longestQueue) may; "
                    + "cancel some of them, or wait until they have left")
        }
    }

    // MARK: Into the ledger

    private func accept(_ drafts: [Draft]) async throws(ControlError) -> [CommandRecord] {
        let opened = drafts.compactMap(open)
        followed.waits.hold(opened.map(\.command.id))
        defer {
            followed.waits.release(opened.map(\.command.id))
            for opened in opened { followed.rest(opened.command.id) }
        }
        let records: [CommandRecord]
        do {
            records = try await ledger.accept(opened.map(\.draft))
        } catch {
            for opened in opened { withdraw(opened.command) }
            throw ControlError(error)
        }
        for (record, opened) in zip(records, opened) { opened.command.take(record) }
        await overrule(by: records)
        for opened in opened {
            await followed.perform(opened.actions, for: opened.command)
            opened.command.lane?.updateQueuePlace(of: opened.command)
            opened.command.endEntering()
        }
        if records.contains(where: \.intent.maySupersede) { await takeWithdrawals() }
        // The way to the device may have changed while the ledger wrote.
        await followed.deliver(
            opened.compactMap { opened in
                opened.command.lane.map {
                    EventDelivery(.reach($0.reach), to: opened.command.id)
                }
            })
        return zip(records, opened).map { record, opened in
            CommandRecord(
                prepared: record.prepared, progress: opened.command.lifecycle.progress)
        }
    }

    /// A command that is about to be accepted, with what is to be done once it is.
    private struct Opened {
        let command: TrackedCommand
        let draft: CommandDraft
        let actions: [LifecycleAction]
    }

    /// Follows a command before it is in the ledger, so that nothing about it is missed.
    private func open(_ draft: Draft) -> Opened? {
        guard let intent = draft.intent else { return nil }
        let now = clock.now
        let (conversation, reach) = (draft.lane.conversation, draft.lane.reach)
        var lifecycle = CommandLifecycle(
            intent, traits: conversation.traits, seenRevision: conversation.revision, at: now,
            seed: followed.generator.next())
        let before = lifecycle.progress
        let actions = lifecycle.handle(.enqueued(reach), at: now)
        let command = TrackedCommand(entering: lifecycle, lane: draft.lane)
        // Its first send is written down with what comes of it, to save a write before it.
        var log = lifecycle.log(of: .enqueued(reach), since: before, at: now)
        for index in log.indices { log[index].state = nil }
        command.keep(log)
        followed.insert(command)
        draft.lane.handleQueueEvent(.reserved(intent.id), in: intent.lane)
        let service = conversation.service
        return Opened(
            command: command,
            draft: CommandDraft(
                intent: intent, opening: lifecycle.progress,
                cause: reach.explanation(of: intent.device),
                shownArguments: draft.order.specification.arguments?.redacting(intent.arguments),
                prepare: { intent, sequence throws(CommunicationError) in
                    try service.prepare(intent, sequence: sequence)
                }),
            actions: actions)
    }

    private func withdraw(_ command: TrackedCommand) {
        command.lane?.handleQueueEvent(.withdrawn(command.id), in: command.lifecycle.intent.lane)
        followed.forget(command.id)
    }

    // MARK: Intents

    /// What is wanted, from now on.
    /// - Parameters:
    ///   - mayBeAway: whether the command may wait as long as the device's policy lets it wait for the device.
    ///   - revision: the revision of the device's state, where its report has none.
    func intent(
        of order: CommandOrder, mayBeAway: Bool, knowing revision: Int?
    ) throws(ControlError) -> CommandIntent {
        let specification = order.specification
        let now = clock.now.wall
        let lifetime = try lifetime(of: order, mayBeAway: mayBeAway)
        let device = order.device
        let known = device.report.revision ?? revision
        return CommandIntent(
            id: CommandID(at: now, using: &followed.generator), controller: controller,
            home: device.profile.home, device: device.id, name: order.name,
            arguments: order.arguments, lane: specification.lane, sort: specification.sort,
            offline: order.options.policy(specification.offline), issuedAt: now,
            expiresAt: now.advanced(by: lifetime),
            ifRevision: order.options.ifRevision ?? (specification.needsIfRevision ? known : nil),
            cause: order.options.cause, isDryRun: order.options.isDryRun)
    }

    private func lifetime(of order: CommandOrder, mayBeAway: Bool) throws(ControlError) -> Duration
    {
        let waitingTime =
            mayBeAway ? order.options.waitingTime(under: order.specification.offline) : nil
        let lifetime = order.options.lifetime ?? waitingTime ?? CommandOptions.usualLifetime
        guard CommandOptions.allowedLifetimes.contains(lifetime) else {
            throw ControlError(
                .badLifetime,
                "a command may wait for its start from 1 ms to 24 h, not \(lifetime); choose a time "
                    + "in that range")
        }
        return lifetime
    }
}
