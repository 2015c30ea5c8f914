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
            drafts.append(Draft(order: order, conversation: try converse(with: order)))
        }
        for draft in drafts { await firstAttempt(in: draft.conversation) }
        // Waiting for the attempts, the invoker may have stopped.
        try requireRunning()
        try refuseIfFull(drafts)
        for index in drafts.indices { drafts[index].intent = try intent(of: drafts[index]) }
        await findEndOfLog()
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
        let conversation: ConversationID
        var intent: CommandIntent?
    }

    private func converse(with order: CommandOrder) throws(ControlError) -> ConversationID {
        do {
            let choice = try factory.choice(for: order.device.profile, heardOn: order.heardOn)
            return converse(with: order.device, by: choice)
        } catch {
            throw ControlError(.noChannel, error.message)
        }
    }

    private func refuseIfFull(_ drafts: [Draft]) throws(ControlError) {
        for (id, new) in Dictionary(grouping: drafts, by: \.conversation) {
            let waiting = conversations[id].map { $0.outbox.count + $0.stored.count } ?? 0
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
        waits.hold(opened.map(\.draft.intent.id))
        defer {
            waits.release(opened.map(\.draft.intent.id))
            for command in opened { rest(command.draft.intent.id) }
        }
        let records: [CommandRecord]
        do {
            records = try await ledger.accept(opened.map(\.draft))
        } catch {
            for command in opened { withdraw(command.draft.intent) }
            throw ControlError(error)
        }
        for record in records {
            commands[record.id]?.take(record)
        }
        await overrule(by: records)
        for (record, command) in zip(records, opened) {
            await perform(command.actions, for: record.id)
            standInLine(record.id)
            commands[record.id]?.isBusy = false
            commands[record.id]?.isAccepted = true
        }
        if records.contains(where: \.intent.maySupersede) { await takeWithdrawals() }
        // The way to the device may have changed while the ledger wrote.
        await post(
            records.compactMap { record in
                commands[record.id]?.conversation.map { Post(.reach(reach(in: $0)), to: record.id) }
            })
        return records.map { record in
            CommandRecord(
                prepared: record.prepared,
                progress: commands[record.id]?.lifecycle.progress ?? record.progress)
        }
    }

    /// A command that is about to be accepted, with what is to be done once it is.
    private struct Opened {
        let draft: CommandDraft
        let actions: [LifecycleAction]
    }

    /// Follows a command before it is in the ledger, so that nothing about it is missed.
    private func open(_ draft: Draft) -> Opened? {
        guard let intent = draft.intent, let conversation = conversations[draft.conversation]
        else { return nil }
        let now = clock.now
        let reach = reach(in: draft.conversation)
        var lifecycle = CommandLifecycle(
            intent, traits: conversation.communicator.traits,
            seenRevision: conversation.revision, at: now, seed: generator.next())
        let before = lifecycle.progress
        let actions = lifecycle.handle(.enqueued(reach), at: now)
        let tracked = TrackedCommand(lifecycle: lifecycle, conversation: draft.conversation)
        tracked.isBusy = true
        tracked.isAccepted = false
        // Its first send is written down with what comes of it, to save a write before it.
        var log = lifecycle.log(of: .enqueued(reach), since: before, at: now)
        for index in log.indices { log[index].state = nil }
        tracked.keep(log)
        commands.insert(tracked)
        tell(.reserved(intent.id), in: intent.lane, of: draft.conversation)
        let communicator = conversation.communicator
        return Opened(
            draft: CommandDraft(
                intent: intent, opening: lifecycle.progress,
                cause: reach.explanation(of: intent.device),
                shownArguments: draft.order.specification.arguments?.redacting(intent.arguments),
                prepare: { intent, sequence throws(CommunicationError) in
                    try communicator.prepare(intent, sequence: sequence)
                }),
            actions: actions.filter { $0 != .record })
    }

    private func withdraw(_ intent: CommandIntent) {
        if let conversation = commands[intent.id]?.conversation {
            tell(.withdrawn(intent.id), in: intent.lane, of: conversation)
        }
        forget(intent.id)
    }

    // MARK: Intents

    private func intent(of draft: Draft) throws(ControlError) -> CommandIntent {
        let order = draft.order
        let specification = order.specification
        let now = clock.now.wall
        let lifetime = try lifetime(of: order, isOffline: reach(in: draft.conversation) == .offline)
        let device = order.device
        let known = device.report.revision ?? conversations[draft.conversation]?.revision
        let intent = CommandIntent(
            id: CommandID(at: now, using: &generator), controller: controller,
            home: device.profile.home, device: device.id, name: order.name,
            arguments: order.arguments, lane: specification.lane, sort: specification.sort,
            offline: order.options.policy(specification.offline), issuedAt: now,
            expiresAt: now.advanced(by: lifetime),
            ifRevision: order.options.ifRevision ?? (specification.needsIfRevision ? known : nil),
            cause: order.options.cause, isDryRun: order.options.isDryRun)
        try refuseIfInexpressible(intent, in: draft.conversation)
        return intent
    }

    private func lifetime(of order: CommandOrder, isOffline: Bool) throws(ControlError) -> Duration
    {
        let waitingTime =
            isOffline ? order.options.waitingTime(under: order.specification.offline) : nil
        let lifetime = order.options.lifetime ?? waitingTime ?? CommandOptions.usualLifetime
        guard CommandOptions.allowedLifetimes.contains(lifetime) else {
            throw ControlError(
                .badLifetime,
                "a command may wait for its start from 1 ms to 24 h, not \(lifetime); choose a time "
                    + "in that range")
        }
        return lifetime
    }

    /// Before anything is recorded: the channel must be able to say it, with any sequence number.
    private func refuseIfInexpressible(_ intent: CommandIntent, in id: ConversationID)
        throws(ControlError)
    {
        let size: Int
        do {
            let prepared = try conversations[id]?.communicator.prepare(
                intent, sequence: JSONValue.largestInteger)
            size = prepared?.payload.count ?? 0
        } catch {
            throw ControlError(.cannotExpress, error.message)
        }
        guard size > JSONLimits.wire.bytes else { return }
        throw ControlError(
            .tooLarge,
            "the command with its arguments takes \(size) bytes, and a message may have at most "
                + "\(JSONLimits.wire.bytes); shorten the arguments")
    }
}
