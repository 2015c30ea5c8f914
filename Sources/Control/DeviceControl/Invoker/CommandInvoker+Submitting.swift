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
            drafts[index].intent = try order.intent(
                of: controller, mayBeAway: lane.reach == .offline,
                knowing: lane.conversation.revision, at: clock.now.wall, &followed.generator)
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
        let opened = drafts.compactMap { draft in
            draft.intent.map { followed.enter($0, of: draft.order, in: draft.lane) }
        }
        followed.waits.hold(opened.map(\.command.id))
        defer {
            followed.waits.release(opened.map(\.command.id))
            for opened in opened { followed.rest(opened.command.id) }
        }
        let records: [CommandRecord]
        do {
            records = try await ledger.accept(opened.map(\.draft))
        } catch {
            for opened in opened { followed.leave(opened.command) }
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
}
